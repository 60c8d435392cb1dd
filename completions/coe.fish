# fish completion for coe: coe completion fish > ~/.config/fish/completions/coe.fish
function __coe_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l shell none
    for line in ($words[1] __complete $words[2..-1] 2>/dev/null)
        switch $line
            case ':*'
                set shell (string sub -s 2 -- $line)
            case '*'
                echo $line
        end
    end
    switch $shell
        case files
            __fish_complete_path (commandline -ct)
        case folders
            __fish_complete_directories (commandline -ct)
    end
end
complete -c coe -f -a '(__coe_complete)'
