#!/usr/bin/env bash
# Checks that a portable build needs only what every system has: Packaging/portable/check.sh FOLDER
# Prints the newest symbol version of glibc that a file needs. Exit code 1 if a file needs a library that is neither in the
# folder nor a part of every system, or glibc newer than 2.36.
set -euo pipefail

folder=${1:?usage: Packaging/portable/check.sh FOLDER}
most=2.36
failed=0 newest=0
mapfile -t files < <(find "$folder" -type f \( -name '*.so*' -o -perm -u+x \) | sort)
for file in "${files[@]}"; do
    head --bytes=4 "$file" | grep -q ELF || continue
    while read -r needed; do
        case $needed in
            libc.so.6 | libm.so.6 | libdl.so.2 | libpthread.so.0 | librt.so.1 | ld-linux-x86-64.so.2 | libgcc_s.so.1 | libstdc++.so.6) ;;
            *) [ -e "$(dirname "$file")/$needed" ] || [ -e "$(dirname "$file")/undertext/$needed" ] || { echo "$file needs $needed" && failed=1; } ;;
        esac
    done < <(readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
    version=$(objdump -T "$file" | grep -o 'GLIBC_[0-9.]*' | cut -c 7- | sort -V | tail -n 1)
    [ "$(printf '%s\n%s\n' "$version" "$most" | sort -V | tail -n 1)" = "$most" ] || { echo "$file needs glibc $version" && failed=1; }
    newest=$(printf '%s\n%s\n' "$version" "$newest" | sort -V | tail -n 1)
    # shellcheck disable=SC2016
    if readelf -d "$file" | grep -E '(RPATH|RUNPATH)' | grep -v -E -q '\[\$ORIGIN(:\$ORIGIN/undertext)?\]'; then
        echo "$file has the path of the build machine" && failed=1
    fi
done
echo "${#files[@]} files; the newest symbols of glibc are those of $newest"
exit "$failed"
