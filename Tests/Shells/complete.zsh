# Types a line and the tabulator in an interactive shell, and waits until it offers a word:
# complete.zsh zsh FOLDER LINE WORD, complete.zsh fish FILE LINE WORD
# Prints what the shell wrote; exit code 1 if the word was not offered within a minute.
zmodload zsh/zpty
zmodload zsh/datetime
integer end=$((EPOCHSECONDS + 60))
all=

# wait_for PATTERN: reads until the output matches.
wait_for() {
    local part
    while ((EPOCHSECONDS < end)); do
        if zpty -r -t shell part; then all+=$part; else sleep 0.1; fi
        [[ $all == ${~1} ]] && return 0
    done
    print -r -- "$all"
    return 1
}

if [[ $1 == zsh ]]; then
    zpty -b shell zsh -f -i
    zpty -w shell "PROMPT=; fpath=($2 \$fpath); autoload -Uz compinit; compinit -u -D; LISTMAX=10000"
    zpty -w shell "bindkey '^I' list-choices"
else
    zpty -b shell "TERM=xterm fish --no-config --interactive"
    zpty -w shell "source $2"
fi
zpty -w shell "stty columns 200 rows 1000; echo REA''DY"
wait_for '*READY*' || exit 1
all=
zpty -w -n shell "$3"$'\t'
wait_for "*$4*"
code=$?
print -r -- "$all"
zpty -d shell
exit $code
