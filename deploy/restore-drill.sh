#!/bin/sh
# Proves that a backup can be used: restores it into a new folder, builds, compares every file with a clean build,
# serves the result, and asks it. Changes nothing else, and needs three times the room of the backup and its files.
# Usage: deploy/restore-drill.sh BACKUP [DAYS]
# BACKUP is a file of "awards backup", or a folder with awards-*.db: then the one with the latest name. A backup
# older than DAYS (2) is an error. AWARDS is the command; without it the package in the current folder.
set -eu

backup=${1:?usage: restore-drill.sh BACKUP [DAYS]}
days=${2:-2}
awards=${AWARDS:-node node_modules/film-awards/build/cli/main.js}
work=
service=

fail() {
  echo "restore drill failed: $1" >&2
  exit 1
}
clean_up() {
  [ -z "$service" ] || kill "$service" 2>/dev/null || true
  [ -z "$service" ] || wait "$service" 2>/dev/null || true
  [ -z "$work" ] || rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 1' INT TERM

if [ -d "$backup" ]; then
  latest=$(find "$backup" -name 'awards-*.db' | sort | tail -n 1)
  [ -n "$latest" ] || fail "$backup has no awards-*.db"
  backup=$latest
fi
[ -f "$backup" ] || fail "there is no file $backup"
[ -n "$(find "$backup" -mtime "-$days")" ] || fail "$backup is older than $days days"

work=$(mktemp -d)
db=$work/awards.db
dist=$work/dist
# $awards is a command with words.
$awards restore "$backup" --db "$db" || fail "$backup was not restored"
$awards build --db "$db" --out "$dist" || fail "the restored record was not built"
$awards verify --db "$db" --out "$dist" || fail "the files differ from a clean build"

port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
$awards serve --db "$db" --out "$dist" --host 127.0.0.1 --port "$port" >"$work/log" 2>&1 &
service=$!
node -e '
const ask = async (path) => {
  const answer = await fetch(`http://127.0.0.1:${process.argv[1]}${path}`);
  if (!answer.ok) throw new Error(`${path} is answered ${answer.status}`);
  return answer.json();
};
const end = Date.now() + 60_000;
const ready = async () => {
  for (;;)
    try {
      return await ask("/readyz");
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((done) => setTimeout(done, 100));
    }
};
(async () => {
  await ready();
  const { pagination, data } = await ask("/api/nominations?limit=1");
  if (pagination.total === 0) throw new Error("the record has no nominations");
  await ask(`/api/movies/${data[0].movie_id}`);
  console.log(`the service answers: ${pagination.total} nominations`);
})().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});' "$port" || {
  cat "$work/log" >&2
  fail "the service does not answer"
}
echo "restore drill passed: $backup"
