#!/bin/sh
# Starts and stops a small Citus cluster on this machine, for trying it out and for the test suite: a coordinator on CITUS_PORT (5610)
# and two workers on the ports after it. Anybody on this machine can connect as postgres: not for production.
# Usage: deploy/citus/cluster.sh start | stop | remove <folder of build.sh>
#        deploy/citus/cluster.sh start-node | stop-node | kill-node <folder> <number: 0 the coordinator, 1 or 2 a worker>
#        deploy/citus/cluster.sh database <folder> <name>   a new database on all three, joined
set -eu
COMMAND=${1:?"see the first lines of $0"}
FOLDER=$(cd "${2:?"name the folder that build.sh built in"}" && pwd)
PORT=${CITUS_PORT:-5610}
BIN=$(ls -d "$FOLDER"/usr/lib/postgresql/*/bin)
DATA="$FOLDER/data-$PORT"
PLUGINS="pgoutput, test_decoding, citus"

# PostgreSQL does not run as root.
as_owner() {
  if [ "$(id -u)" = 0 ]; then setpriv --reuid=postgres --regid=postgres --clear-groups env HOME=/tmp "$@"; else "$@"; fi
}
psql_on() { "$BIN/psql" -h 127.0.0.1 -U postgres -X -q -A -t -v ON_ERROR_STOP=1 -p "$((PORT + $1))" -d "$2" -c "$3"; }
stop_node() { as_owner "$BIN/pg_ctl" -D "$DATA/$1" -w -s -m "${2:-fast}" stop || true; }

start_node() {
  if [ ! -d "$DATA/$1" ]; then
    mkdir -p "$DATA"
    if [ "$(id -u)" = 0 ]; then chown postgres "$DATA"; fi
    as_owner "$BIN/initdb" -D "$DATA/$1" -U postgres -A trust --encoding=UTF8 --locale=C.UTF-8 >/dev/null
    cat >>"$DATA/$1/postgresql.conf" <<SETTINGS
port = $((PORT + $1))
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
shared_preload_libraries = 'citus,pg_stat_statements'
citus.node_conninfo = 'sslmode=disable'
citus.shard_count = ${CITUS_SHARDS:-8}
wal_level = logical
max_connections = 300
max_worker_processes = 64
shared_buffers = 256MB
max_locks_per_transaction = 512
fsync = ${FSYNC:-on}
SETTINGS
  fi
  as_owner "$BIN/pg_ctl" -D "$DATA/$1" -w -s -l "$DATA/$1.log" start
  # Newer PostgreSQL asks which libraries may read its log; Citus does when it moves rows. Older ones do not know the setting.
  psql_on "$1" postgres "select 'alter system set output_plugin_libraries = $PLUGINS' from pg_settings where name = 'output_plugin_libraries'" | while read -r statement; do
    psql_on "$1" postgres "$statement"
    psql_on "$1" postgres "select pg_reload_conf()" >/dev/null
  done
}

case $COMMAND in
  start) for node in 0 1 2; do start_node "$node"; done; echo "postgresql://postgres@127.0.0.1:$PORT/postgres" ;;
  stop) for node in 0 1 2; do stop_node "$node"; done ;;
  remove) for node in 0 1 2; do stop_node "$node" immediate; done; rm -rf "$DATA" ;;
  start-node) start_node "${3:?"name a node"}" ;;
  stop-node) stop_node "${3:?"name a node"}" ;;
  kill-node) stop_node "${3:?"name a node"}" immediate ;;
  database)
    NAME=${3:?"name the database"}
    for node in 0 1 2; do
      psql_on "$node" postgres "create database \"$NAME\""
      psql_on "$node" "$NAME" "create extension citus"
    done
    psql_on 0 "$NAME" "select citus_set_coordinator_host('127.0.0.1', $PORT)" >/dev/null
    for node in 1 2; do psql_on 0 "$NAME" "select citus_add_node('127.0.0.1', $((PORT + node)))" >/dev/null; done
    echo "postgresql://postgres@127.0.0.1:$PORT/$NAME" ;;
  *) sed -n '2,6s/^# //p' "$0"; exit 2 ;;
esac
