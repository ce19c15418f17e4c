# The watchdog for Linux: it outlives a killed proxy and ends the proxy's child processes. While it waits it runs only
# `read`, in less than 2 MB. It follows the rules of reap-processes.ts. The proxy writes one line per order:
#   mark PREFIX      beginning of the children's mark in their environment
#   tag FIRST LAST   range of their soft limits for resident memory
#   add PID START    a child, which leads its process group, and its start from /proc/PID/stat
#   del PID          this child has ended
#   bye              every child has ended
trap '' INT TERM HUP
export LC_ALL=C
unset PROXY_WATCHDOG
newline='
'
mark='' first='' last='' leaders=$newline
while IFS= read -r line; do
  words=${line#* }
  case $line in
    'mark '*) mark=$words ;;
    'tag '*) first=${words% *} last=${words#* } ;;
    'add '*) leaders="$leaders${words%% *}:${words#* }$newline" ;;
    'del '*)
      while
        after=${leaders#*"$newline$words:"}
        [ "$after" != "$leaders" ]
      do leaders=${leaders%%"$newline$words:"*}$newline${after#*"$newline"}; done ;;
    bye) exit 0 ;;
  esac
done
# Without a mark, the proxy died before it could have started a child.
[ -n "$mark" ] || exit 0

# Prints each process to end as pid:start, and those that the look before did not find as pid:start:new.
look() {
  {
    echo own
    grep -lasF "PROXY_UPSTREAM_ID=$mark" /proc/[0-9]*/environ
    echo marked
    grep -lasF 'PROXY_UPSTREAM_ID=' /proc/[0-9]*/environ
    echo tagged
    [ -z "$first" ] || grep -sE '^Max resident set +[4-9][0-9]{18} ' /proc/[0-9]*/limits
    echo leaders
    echo "$leaders"
    echo found
    echo "$found"
    echo processes
    cat /proc/[0-9]*/stat
  } 2>/dev/null | awk -v self=$$ -v first="$first" -v last="$last" '
    part != "processes" && /^[a-z]+$/ { part = $0; next }
    part == "own" { split($0, f, "/"); doomed[f[3]] = 1 }
    part == "marked" { split($0, f, "/"); marked[f[3]] = 1 }
    part == "tagged" {
      split($0, f, "/")
      # As text: the numbers have 62 bits, more than awk computes with, and the same length.
      if (!(f[3] in marked) && ($4 "") >= (first "") && ($4 "") <= (last "")) doomed[f[3]] = 1
    }
    part == "leaders" && split($0, f, ":") { leader[f[1]] = f[2] }
    part == "found" && split($0, f, ":") { before[f[1]] = f[2] }
    part == "processes" {
      # The name of a process may hold spaces, brackets and line feeds.
      text = text " " $0
      fields = text
      sub(/.*\)/, "", fields)
      if (split(fields, f, " ") < 20) next
      split(text, name, " ")
      pid = name[1]
      text = ""
      if (pid == self || f[1] == "Z" || f[1] == "X") next
      parent[pid] = f[2]; group[pid] = f[3]; session[pid] = f[4]; start[pid] = f[20]
    }
    END {
      # The number of a leader that has ended still names its group and session, unless another process has it.
      for (pid in leader) if (leader[pid] == "" || !(pid in start) || start[pid] == leader[pid]) doomed[pid] = 1
      for (pid in before) if ((pid in start) && start[pid] == before[pid]) doomed[pid] = 1
      for (pid in start) if (pid in doomed || group[pid] in doomed || session[pid] in doomed) family[pid] = 1
      do {
        grown = 0
        for (pid in start) if (!(pid in family) && parent[pid] in family) { family[pid] = 1; grown = 1 }
      } while (grown)
      for (pid in family) if (pid in start)
        print pid ":" start[pid] ((pid in before) && before[pid] == start[pid] ? "" : ":new")
    }'
}

# Sets now to the time since the boot, in 1/100 s.
clock() {
  read -r uptime _ < /proc/uptime
  now=$((${uptime%.*} * 100 + 1${uptime#*.} - 100))
}

# SIGTERM at once, SIGKILL after 1.5 s; gives up after 4.5 s.
found=''
clock
began=$now
while found=$(look); [ -n "$found" ]; do
  clock
  spent=$((now - began))
  [ $spent -le 450 ] || exit 1
  for one in $found; do
    if [ $spent -ge 150 ]; then kill -KILL "${one%%:*}"
    else case $one in *:new) kill -TERM "${one%%:*}" ;; esac
    fi
  done 2>/dev/null
  # Only whole seconds are sure to be understood everywhere.
  sleep 0.05 2>/dev/null || sleep 1
done
