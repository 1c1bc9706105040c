# Prints the line that zsh makes of each argument when Tab is pressed at its end.
#   PATH=FOLDER:$PATH zsh -f complete.zsh 'winadmit che'
zmodload zsh/zpty
zpty shell zsh -f -i
send() { zpty -w shell "$1" }
# Prints what is behind the next mark. The mark is written so that the echo of the input has none.
read_mark() {
  local line
  while zpty -r shell line; do
    [[ $line == *MARK:* ]] || continue
    print -r -- "${${line##*MARK:}%%[$'\r\n']*}"
    return
  done
}
send "PS1= PATH=${(q)PATH}"
send "autoload -U compinit; compinit -u -D; source <(winadmit completion zsh)"
send 'show() { zle complete-word; zle -I; print -r -- "MA""RK:$BUFFER"; BUFFER= }; zle -N show; bindkey "^X" show'
send 'print "MA""RK:ready"'
read_mark >/dev/null
for words in "$@"; do
  zpty -w -n shell "$words"$'\C-X'
  read_mark
done
zpty -d shell
