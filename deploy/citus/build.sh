#!/bin/sh
# Builds Citus from its source against Debian's PostgreSQL, in a folder of its own: nothing on the machine is changed.
# Usage: CITUS_SOURCE=<clone of citusdata/citus, or its .git> deploy/citus/build.sh <folder> [tag]
# Needs apt, gcc, make, flex, git. Afterwards <folder>/usr is a PostgreSQL with the extension; cluster.sh starts it.
set -eu
FOLDER=${1:?"usage: CITUS_SOURCE=<clone> $0 <folder> [tag]"}
TAG=${2:-v13.2.2}
SOURCE=${CITUS_SOURCE:?"set CITUS_SOURCE to a clone of citusdata/citus"}
MAJOR=${PG_MAJOR:-15}
mkdir -p "$FOLDER/packages"
FOLDER=$(cd "$FOLDER" && pwd)

# The server, its headers, and the headers of the libraries it was built with: unpacked, never installed.
cd "$FOLDER/packages"
[ "$(ls -- *.deb 2>/dev/null | wc -l)" -gt 0 ] || apt-get download -qq \
  "postgresql-$MAJOR" "postgresql-client-$MAJOR" "postgresql-server-dev-$MAJOR" libpq-dev libpq5 \
  libkrb5-dev krb5-multidev comerr-dev libxml2-dev libssl-dev libssl3 zlib1g-dev zlib1g libicu-dev liblz4-dev libzstd-dev libzstd1 liblz4-1
for package in *.deb; do dpkg-deb -x "$package" "$FOLDER"; done
PG_CONFIG="$FOLDER/usr/lib/postgresql/$MAJOR/bin/pg_config"
export PG_CONFIG
"$PG_CONFIG" --version

[ -d "$FOLDER/source" ] || git clone -q --shared --no-checkout "$SOURCE" "$FOLDER/source"
cd "$FOLDER/source"
git checkout -q -f "$TAG"
# A checkout gives files their times in any order, and make would write these two anew, with autoconf.
touch configure src/include/citus_config.h.in
# Newer PostgreSQL 15 has a function that Citus brings along for older ones.
if grep -q have_createdb_privilege "$("$PG_CONFIG" --includedir-server)/commands/dbcommands.h"; then
  sed -i 's/^have_createdb_privilege(void)$/citus_&/' src/include/pg_version_compat.h
fi
LIBRARIES="$FOLDER/usr/lib/$(gcc -dumpmachine)"
INCLUDES="-I$FOLDER/usr/include -I$FOLDER/usr/include/mit-krb5 -I$FOLDER/usr/include/libxml2 -I$FOLDER/usr/include/$(gcc -dumpmachine)"
export CPPFLAGS="$INCLUDES" CFLAGS="-O2 -g0 -Wno-error" LDFLAGS="-L$LIBRARIES"
./configure --quiet --without-libcurl --without-lz4 --without-zstd --with-security-flags=no
make -s -j"$(nproc)" with_llvm=no extension >"$FOLDER/build.log" 2>&1 || { tail -40 "$FOLDER/build.log"; exit 1; }
make -s with_llvm=no install >>"$FOLDER/build.log" 2>&1 || { tail -40 "$FOLDER/build.log"; exit 1; }
ls "$FOLDER/usr/lib/postgresql/$MAJOR/lib/citus.so"
