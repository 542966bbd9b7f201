# fish completion of gpsnap: asks the program itself, so that it is never out of
# date.

function __gpsnap_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l program $words[1]
    set -l lines ($program help --complete -- $words[2..-1] "$typed" 2>/dev/null)
    if test "$lines[1]" = :files
        __fish_complete_path "$typed"
    else if test "$lines[1]" = :recordings
        set -l paths (__fish_complete_path "$typed")
        # others only where there is no recording
        string match -r '.*(?:\.gpsnap|/)(?:\t.*)?$' -- $paths
        or string collect -- $paths | string split -n \n
    else
        string collect -- $lines | string split -n \n
    end
end

complete -c gpsnap -f -a '(__gpsnap_complete)'
