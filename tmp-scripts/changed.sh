npx tsx tmp-scripts/dump.ts /tmp/actual.json 2>/dev/null | grep -v "^   " | grep -v "zero-width space in a key\|no-break space in a title" > /tmp/changed.txt
