# Prints what bash offers for the last word: complete.bash FILE WORD...
# shellcheck shell=bash
# shellcheck source=/dev/null
source "$1"
shift
# bash sets these variables, and the function reads them.
# shellcheck disable=SC2034
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
COMPREPLY=()
_undertext "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
