/** `npm run torture`: kills the receiver, cuts the power of its store, and checks that nothing is lost. */
import { parseArgs } from 'node:util'
import { explainArguments } from '../../src/machine/arguments.ts'
import { killReceiver, readForms } from './kill.ts'
import { cutPower } from './power-cut.ts'
import { whyNoTrace } from './trace.ts'

const HELP = `Kills the receiver under load, cuts the power of its store, and looks for every receipt.

npm run torture -- [kill] [power-cut] [options]

  kill           kill -9 under load: every receipt that a visitor saw must be stored and announced,
                 by a mail server and a webhook that refuse one message in four
  power-cut      after each system call, unflushed data is lost or torn; every receipt must be there
  --rounds N     how many times the receiver is killed (100, about four minutes)
  --help         this text

The receiver is that of npm start, so "npm run build" comes first. With DATABASE_URL, kill uses that
Postgres database, which should be empty. power-cut always uses SQLite.

Exit status: 0 nothing was lost, 1 something was, or the test could not have seen it, 2 the command
line or the machine.
`

const OPTIONS = {
  rounds: { type: 'string', default: '100' },
  help: { type: 'boolean', default: false },
} as const

try {
  process.exitCode = await main()
} catch (error) {
  console.error(`torture: ${explainArguments(error as Error, Object.keys(OPTIONS))}`)
  process.exitCode = 2
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: OPTIONS })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const { rounds } = values
  if (!/^\d{1,9}$/.test(rounds)) throw new Error(`--rounds must be a whole number, not "${rounds}"`)
  const kinds = ['kill', 'power-cut']
  const unknown = positionals.find((kind) => !kinds.includes(kind))
  if (unknown) throw new Error(`there is no test "${unknown}"; --help lists them`)
  const isWanted = (kind: string) => positionals.length === 0 || positionals.includes(kind)

  let isWell = true
  if (isWanted('kill')) isWell = await kill(Number(rounds))
  if (isWanted('power-cut')) {
    const reason = whyNoTrace()
    if (reason) throw new Error(`the power was not cut: ${reason}`)
    isWell = (await powerCut()) && isWell
  }
  return isWell ? 0 : 1
}

async function kill(rounds: number): Promise<boolean> {
  if (readForms().length === 0) {
    console.log('\nkill -9 under load: not done, because the site has no forms')
    return true
  }
  const databaseUrl = process.env.DATABASE_URL || undefined
  const options = { rounds, posts: 50, databaseUrl }
  const killed = await killReceiver(options)
  const { acknowledged, unanswered, announced, posted, lists, refused, lost, faults } = killed
  console.log(`
kill -9 under load, ${databaseUrl ? 'Postgres' : 'SQLite'}
  ${rounds} kills, ${acknowledged} acknowledged posts, ${lost.length} lost
  ${unanswered} unanswered posts sent again, each stored once
  ${announced.size} named in mails and ${lists} lists, ${posted.size} posted; ${refused} refused, and sent again`)
  for (const fault of [...lost.map((receipt) => `${receipt} is lost`), ...faults].slice(0, 10)) {
    console.log(`  ${fault}`)
  }
  return lost.length === 0 && faults.length === 0 && acknowledged > 0
}

async function powerCut(): Promise<boolean> {
  const cut = async (flushesAll: boolean) => {
    const { calls, told, disks, failures, examples } = await cutPower(flushesAll)
    console.log(`
power cut${flushesAll ? '' : ', on a disk that does not flush the journal'}
  ${calls} calls, ${told} promises, ${disks} different disks, ${failures} that fail`)
    for (const example of examples) console.log(`  ${example}`)
    return failures
  }
  const failures = await cut(true)
  const expected = await cut(false)
  if (expected === 0) console.log('  some must fail here, or the test detects nothing')
  return failures === 0 && expected > 0
}
