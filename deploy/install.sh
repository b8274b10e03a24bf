#!/bin/sh
# Installs the service into an empty folder, as the image has it: the package and its dependencies, at the versions of
# package-lock.json. The Dockerfile runs it; it also runs without a container engine.
# Usage: deploy/install.sh FOLDER
set -eu

project=$(cd "$(dirname "$0")/.." && pwd)
target=$1
mkdir -p "$target"
if [ -n "$(ls -A "$target")" ]; then
  echo "$target is not empty" >&2
  exit 1
fi
target=$(cd "$target" && pwd)

cd "$project"
[ -d node_modules ] || npm ci
npm run package
cp -R package/film-awards/. "$target"
cp package-lock.json "$target"

# The native module is the one that "npm ci" has built or fetched here.
native=better-sqlite3/build/Release/better_sqlite3.node
cd "$target"
npm install --omit=dev --ignore-scripts --prefer-offline --no-audit --no-fund
rm -rf node_modules/better-sqlite3/deps node_modules/better-sqlite3/src
mkdir -p "$(dirname "node_modules/$native")"
cp "$project/node_modules/$native" "node_modules/$native"
find node_modules -name '*.map' -delete
node build/cli/main.js --version
