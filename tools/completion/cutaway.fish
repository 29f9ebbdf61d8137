# Completion of cutaway in fish. The command itself says what may follow: `cutaway complete WORDS...`.
function __cutaway_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l replies ($words[1] complete $words[2..] 2>/dev/null)
    if test (count $replies) -gt 0
        printf '%s\n' $replies
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c cutaway -f -a '(__cutaway_complete)'
