const { FAULTS, GOOD } = await import('../tests/helpers/faults.ts')
const { SAMPLE_FAULTS } = await import('../tests/sample/faults.ts')
const { compileCheck, validate } = await import('../tests/helpers/page.ts')
const check = compileCheck()
const out: Record<string, any> = {}
for (const { fault, batch, of = GOOD, at, says } of [...FAULTS, ...SAMPLE_FAULTS] as any[]) {
  const text = typeof batch === 'string' || batch instanceof Uint8Array ? batch : batch.reduce((t: string, [a, b]: any) => t.replace(a, () => b), of)
  const { problems } = validate('b.json', Buffer.from(text), check, 0)
  const told = problems.map((p: any) => [`${p.line}:${p.column}`, p.message.replace(/ \(nothing else in the file was checked\)$/, '')])
  out[fault] = told
  if (told.length !== 1 || told[0]![0] !== at || told[0]![1] !== says) console.log(`${fault}\n   - ${at} ${says}\n${told.map(([a, b]: any) => `   + ${a} ${b}`).join('\n')}`)
}
if (process.argv[2]) (await import('node:fs')).writeFileSync(process.argv[2], JSON.stringify(out))
