/** The guides: their blocks of code, and the commands in these. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** A block of code: what follows its first three marks, and its lines. */
export interface Block {
  language: string
  file: string
  text: string
}

/** Such as "```json countries.json", the lines of a block, and "```", perhaps in a list. */
const BLOCK = /^ *```(\S*)(?: (\S+))?\n([\s\S]*?)^ *```$/gm

/**
 * Returns the blocks of a document of this repository.
 *
 * @param heading of the only part that counts, up to the next heading of its level or a higher one
 */
export function blocksOf(document: string, heading?: string): Block[] {
  const text = readFileSync(join(ROOT, document), 'utf8')
  const part = heading === undefined ? text : partBelow(heading, text)
  return Array.from(part.matchAll(BLOCK), ([, language = '', file = '', lines = '']) => ({
    language,
    file,
    text: lines,
  }))
}

/** Returns the part of a document below a heading, such as "## Fixes". */
function partBelow(heading: string, document: string): string {
  const [level = ''] = heading.split(' ')
  const [, part] = document.split(`\n${heading}\n`)
  if (part === undefined) throw new Error(`no heading "${heading}"`)

  const nextHeading = new RegExp(`\\n#{1,${level.length}} `)
  const [text = ''] = part.split(nextHeading)
  return text
}

/** A command of a guide, and what it shows below. */
export interface ShownCommand {
  command: string
  output: string
}

/** Such as "npm start    # builds it": a command, and what it's for. */
const COMMENT = /\s+# .*$/

/** The next line of a command of several lines is further indented, or ends an open quote. */
const CONTINUED = /\\$|^[^"]*"[^"]*$/

/** Returns the commands in the blocks of a document, as they're printed, but without their comments. */
export function commandsOf(document: string, heading?: string): ShownCommand[] {
  return blocksOf(document, heading).flatMap(({ language, text }) => {
    if (language === 'console') return commandsOfConsole(text)
    return language === 'sh' ? commandsOfScript(text) : []
  })
}

/** Returns the commands of a block that follow a "$", each with the lines up to the next one. */
function commandsOfConsole(text: string): ShownCommand[] {
  const parts = text.split(/^\$ /m).slice(1)
  return parts.map((part) => {
    const [line = '', ...output] = part.split('\n')
    return { command: line.replace(COMMENT, ''), output: output.join('\n') }
  })
}

/** Returns the commands of a script. */
function commandsOfScript(text: string): ShownCommand[] {
  const commands: string[] = []
  let command = ''
  for (const line of text.trimEnd().split('\n')) {
    command = command === '' ? line.trim() : `${command}\n${line.trim()}`
    if (CONTINUED.test(command)) continue

    commands.push(command.replace(COMMENT, ''))
    command = ''
  }
  return commands.map((command) => ({ command, output: '' }))
}

/** The commands of the guides that no test runs as they're printed, by the reason. */
export const NOT_RUN: Readonly<Record<string, readonly string[]>> = {
  'They install a release from GitHub. tests/sample/readme.test.ts installs one from this disk.': [
    'npm i -D github:OWNER/manyurls#package-v0.6.0',
    'pnpm add -D github:OWNER/manyurls#package-v0.6.0',
    'yarn add -D manyurls@github:OWNER/manyurls#package-v0.6.0',
    'bun add -D github:OWNER/manyurls#package-v0.6.0',
  ],
  "They don't end. The tests of the watcher and of the receiver start and stop them.": [
    'npm run dev',
    'npm start',
  ],
  'They need a mail account. tests/owner/notifications.test.ts has a mail server of its own.': [
    "export SMTP_URL=smtps://mail.example.com SMTP_USER=forms@example.com SMTP_PASSWORD='PASSWORD'",
    'export NOTIFY_FROM=forms@example.com NOTIFY_TO=you@example.com NOTIFY_EVERY=0',
    'npm run submissions -- test',
  ],
  'They change a machine with systemd. "What was tried" says on which they were run by hand.': [
    'sudo useradd --system --shell /usr/sbin/nologin manyurls',
    'sudo install -d -o "$USER" /srv/manyurls',
    'git clone ADDRESS_OF_YOUR_SITE /srv/manyurls/1',
    'cd /srv/manyurls/1',
    'npm ci && SITE_URL=https://example.com npm run build && npm prune --omit=dev',
    'ln -sfn /srv/manyurls/1 /srv/manyurls/current',
    'sudo cp deploy/manyurls.service /etc/systemd/system/',
    'sudo cp deploy/nginx.conf /etc/nginx/conf.d/manyurls.conf',
    'sudo rm -f /etc/nginx/sites-enabled/default /etc/nginx/conf.d/default.conf',
    'sudo systemctl daemon-reload && sudo systemctl enable --now manyurls',
    'sudo nginx -t && sudo systemctl restart nginx',
    'curl -s --retry 9 --retry-connrefused http://127.0.0.1:4173/readyz',
    'sudo chmod 600 /etc/manyurls.env && sudo systemctl restart manyurls',
    'cd /srv/manyurls/current && sudo deploy/submissions.sh test',
    'sudo -u postgres createuser --pwprompt manyurls',
    'sudo -u postgres createdb --owner manyurls --encoding UTF8 --template template0 manyurls',
    'sudo install -m 600 /dev/null /etc/manyurls.env',
    'sudoedit /etc/manyurls.env',
    'sudo systemctl restart manyurls',
    'sudo systemctl stop manyurls postgresql',
    'sudo -u postgres /usr/lib/postgresql/15/bin/pg_checksums --enable --pgdata /var/lib/postgresql/15/main',
    'sudo systemctl start postgresql manyurls',
    'git clone ADDRESS_OF_YOUR_SITE /srv/manyurls/2',
    'cd /srv/manyurls/2',
    'ln -sfn /srv/manyurls/2 /srv/manyurls/current && sudo systemctl restart manyurls',
    'sudo cp deploy/manyurls-backup.service deploy/manyurls-backup.timer /etc/systemd/system/',
    'sudo systemctl daemon-reload && sudo systemctl enable --now manyurls-backup.timer',
    'sudo systemctl start manyurls-backup && sudo ls /var/lib/manyurls-backup',
    'sudo -u postgres pg_dump manyurls > manyurls.sql',
    'sudo systemctl stop manyurls',
    'sudo rm -f /var/lib/manyurls/submissions.db-journal',
    'sudo install -o manyurls -g manyurls -m 600 /var/lib/manyurls-backup/DATE.db /var/lib/manyurls/submissions.db',
    'sudo systemctl start manyurls',
    'sudo -s',
    'cd /var/lib/manyurls && umask 077',
    'sqlite3 submissions.db .recover | sqlite3 recovered.db',
    `sqlite3 recovered.db "INSERT OR IGNORE INTO submissions SELECT id, c1, c2, c3, c4, c5, c6, c7, c8,\nc9, c10, c11, c12, c13, c14, c15 FROM lost_and_found WHERE nfield = 16"`,
    `sqlite3 recovered.db "INSERT OR IGNORE INTO submissions (id, receipt, path, received_at, dataset,\ncontent_hash, status, repeats, fields) SELECT id, c1, c2, c3, c4, c5, c6, c7, c8\nFROM lost_and_found WHERE nfield BETWEEN 9 AND 15"`,
    'sqlite3 recovered.db "DROP TABLE lost_and_found"',
    `sqlite3 recovered.db "DELETE FROM outbox WHERE submission NOT IN (SELECT id FROM submissions);\nDELETE FROM repeats WHERE submission NOT IN (SELECT id FROM submissions)"`,
    'cd /srv/manyurls/current && SUBMISSIONS_FILE=/var/lib/manyurls/recovered.db npm run submissions -- check',
    'cd /var/lib/manyurls && mv submissions.db damaged.db && rm -f submissions.db-journal',
    'install -o manyurls -g manyurls -m 600 recovered.db submissions.db && rm recovered.db',
    'exit',
  ],
  'They run these tests, or come before them. CI runs the first three.': [
    'npm ci',
    'npm run check',
    'npm test',
    'npx vitest run -c tests/vitest.config.ts request',
    "npx vitest run -c tests/vitest.config.ts -t 'sent twice'",
    'npx vitest run -c tests/vitest.config.ts tests/explain',
    'npx playwright test -c tests/browser/playwright.config.ts sample/browser/form',
    "npx playwright test -c tests/browser/playwright.config.ts -g 'honeypot'",
  ],
  'They make many measurements. CI compares with the last release every night.': [
    'npm run bench --silent -- all > tests/bench/figures.md',
  ],
  'They need Docker.': [
    'docker build -f deploy/Dockerfile -t manyurls .',
    `docker run -d --name manyurls --restart unless-stopped -p 127.0.0.1:4173:4173 -v manyurls:/data \\\n--read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges \\\n-e TRUSTED_PROXIES=172.17.0.1 manyurls`,
    'docker exec manyurls npm run submissions -- test',
    'docker exec manyurls npm run submissions -- backup /data/copy.db',
    'docker cp manyurls:/data/copy.db . && docker exec manyurls rm /data/copy.db',
  ],
}
