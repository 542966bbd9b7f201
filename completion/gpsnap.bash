# bash completion of gpsnap: asks the program itself for its commands and
# options, so that it is never out of date.

# _gpsnap_values KIND WORD: what may stand for an argument of that kind.
_gpsnap_values()
{
	case $1 in
	path)
		compopt -o filenames 2>/dev/null
		COMPREPLY=($(compgen -f -- "$2")) ;;
	*'|'*)
		COMPREPLY=($(compgen -W "${1//|/ }" -- "$2")) ;;
	*)
		COMPREPLY=() ;;
	esac
}

# _gpsnap_kind COMMAND OPTION: the kind of its argument.
_gpsnap_kind()
{
	"${COMP_WORDS[0]}" help --options="$1" 2>/dev/null |
		awk -F'\t' -v o="$2" '$1 == o || $2 == o { print $3 }'
}

_gpsnap_options()
{
	"${COMP_WORDS[0]}" help --options="$1" 2>/dev/null | cut -f2
}

_gpsnap()
{
	local word=${COMP_WORDS[COMP_CWORD]}
	local before=${COMP_WORDS[COMP_CWORD-1]}
	local command=${COMP_WORDS[1]} kind

	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ]; then
		COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" help \
			--commands 2>/dev/null | cut -f1) --record --replay \
			--help --version" -- "$word"))
		return
	fi
	command=${command#--}
	# Words are split at "=": --format = js
	if [ "$word" = = ]; then
		word=
	elif [ "$before" = = ]; then
		before=${COMP_WORDS[COMP_CWORD-2]}
	fi
	case $before in
	-*)
		kind=$(_gpsnap_kind "$command" "$before")
		if [ -n "$kind" ] && [ "$kind" != flag ]; then
			_gpsnap_values "$kind" "$word"
			return
		fi ;;
	esac
	case $word in
	-*)
		COMPREPLY=($(compgen -W "$(_gpsnap_options "$command")" \
			-- "$word")) ;;
	*)
		if [ "$command" = help ]; then
			COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" help \
				--commands 2>/dev/null | cut -f1)" \
				-- "$word"))
		else
			_gpsnap_values path "$word"
		fi ;;
	esac
}

complete -F _gpsnap gpsnap
