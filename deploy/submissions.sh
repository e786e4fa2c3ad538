#!/bin/sh
# Runs `npm run submissions` with the settings of the service: sudo deploy/submissions.sh [command] [options]
set -eu
setting() { systemctl show --property "$1" --value manyurls; }

# systemd itself reads the files: other users could see a password in a command.
files=$(setting EnvironmentFiles | sed 's/\(.*\) (ignore_errors=.*)/--property=EnvironmentFile=-\1/')
exec systemd-run --quiet --pipe --pty --wait --collect $files \
  --property="User=$(setting User)" --property="WorkingDirectory=$(setting WorkingDirectory)" \
  --property="Environment=$(setting Environment)" node --import tsx scripts/submissions.ts "$@"
