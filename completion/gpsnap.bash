# bash completion of gpsnap: asks the program itself, so that it is never out of
# date.

_gpsnap()
{
	local word=${COMP_WORDS[COMP_CWORD]} words=() i n=0 lines line
	local IFS=$'\n'

	# bash splits words at "=": --format = js
	for ((i = 1; i <= COMP_CWORD; i++)); do
		if ((n > 0)) && [[ ${COMP_WORDS[i]} == = ||
			${COMP_WORDS[i-1]} == = ]]; then
			words[n-1]+=${COMP_WORDS[i]}
		else
			words[n]=${COMP_WORDS[i]}
			n=$((n + 1))
		fi
	done
	[[ $word == = ]] && word=
	COMPREPLY=()
	mapfile -t lines < <("${COMP_WORDS[0]}" help --complete -- \
		"${words[@]}" 2>/dev/null)
	if [[ ${lines[0]} == :files ]]; then
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
		return
	fi
	if [[ ${lines[0]} == :recordings ]]; then
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -f -X '!*.gpsnap' -- "$word")
		# others only where there is no recording
		((${#COMPREPLY[@]} > 0)) ||
			mapfile -t COMPREPLY < <(compgen -f -- "$word")
		mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(comm -13 \
			<(printf '%s\n' "${COMPREPLY[@]}" | sort -u) \
			<(compgen -d -- "$word" | sort -u))
		return
	fi
	for line in "${lines[@]}"; do
		line=${line%%$'\t'*}
		# what is before "=" was another word
		[[ $word != *=* && ${words[n-1]} == --*=* ]] && line=${line#*=}
		[[ $line == "$word"* ]] || continue
		[[ $line == *. ]] && compopt -o nospace 2>/dev/null
		# a name may be a stranger's, and readline quotes files only
		[[ $line == *[!A-Za-z0-9_.,:/=+%@-]* ]] &&
			printf -v line %q "$line"
		COMPREPLY+=("$line")
	done
}

complete -F _gpsnap gpsnap
