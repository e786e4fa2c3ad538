/** Makes the package `manyurls`: compiled code, declarations, and a small package.json. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'

const ROOT = join(import.meta.dirname, '../..')
const SRC = join(ROOT, 'src')

/**
 * What the commands load of other packages. They stay packages, so that npm updates them; all that is
 * ours becomes a few files, which start faster than many.
 */
const DEPENDENCIES = [
  'ajv',
  'ajv-formats',
  'diff',
  'fast-glob',
  'jiti',
  'json-schema-to-typescript',
  'jsonc-parser',
  'leven',
  'parse5',
  'react',
  'react-dom',
  'string-width',
  'yaml',
]

/** Writes the package into a folder, which is replaced. */
export async function makePackage(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writePackageJson(folder)
  await compile(join(folder, 'lib'))
  declareTypes(join(folder, 'types'))
  writeReadme(folder)
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
}

interface PackageJson {
  version: string
  license: string
  engines: Record<string, string>
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}

function readPackageJson(): PackageJson {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
}

const DESCRIPTION =
  'Checks JSON files by a JSON Schema and your own rules, says where each mistake is, fixes what is certain, and builds one deduplicated, typed dataset.'

function writePackageJson(folder: string): void {
  const ours = readPackageJson()
  const { version, license, engines } = ours
  const versions: Record<string, string> = { ...ours.devDependencies, ...ours.dependencies }
  const types = './types/package/index.d.ts'
  const content = {
    ...{ name: 'manyurls', version, description: DESCRIPTION, license },
    ...{ type: 'module', engines },
    bin: { manyurls: 'lib/bin.js' },
    exports: { '.': { types, default: './lib/index.js' } },
    types,
    files: ['lib', 'types'],
    dependencies: Object.fromEntries(DEPENDENCIES.map((name) => [name, versions[name]])),
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(content, null, 2)}\n`)
}

/** For example `manyurls-0.4.0.tgz`. */
const TARBALL = /manyurls-\d+\.\d+\.\d+\.tgz/g

/** A link to another document of this repository, such as `[each shape](../../README.md#shapes)`. */
const LINK_OUT = /\[([^\]]+)\]\(\.\.\/[^)]*\)/g

/** Writes the guide, with the name of this version's tarball, and without links to what isn't in it. */
function writeReadme(folder: string): void {
  const { version } = readPackageJson()
  const guide = readFileSync(join(SRC, 'package/README.md'), 'utf8')
  const named = guide.replace(TARBALL, `manyurls-${version}.tgz`)
  writeFileSync(join(folder, 'README.md'), named.replace(LINK_OUT, '$1'))
}

/** Compiles the commands. What only some runs need is a file of its own. */
async function compile(outDir: string): Promise<void> {
  await build({
    root: ROOT,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      ssr: true,
      target: 'node20',
      outDir,
      rolldownOptions: {
        input: {
          bin: join(SRC, 'package/bin.ts'),
          index: join(SRC, 'package/index.ts'),
          // It reads the styles of a report from where they are.
          'report/html/write-report': join(SRC, 'report/html/write-report.ts'),
        },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
  })
  chmodSync(join(outDir, 'bin.js'), 0o755)
  for (const style of ['report/html/report.css', 'app/style.css'])
    cpSync(join(SRC, style), join(outDir, style))
}

/** For example `from './html.ts'`. */
const SOURCE_IMPORT = /(from\s+'\.[^']*)\.ts'/g

/** Declares what 'manyurls' exports, without anything of this repository. */
function declareTypes(outDir: string): void {
  const settings = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: {
      ...{ noEmit: false, declaration: true, emitDeclarationOnly: true, outDir, rootDir: SRC },
      // `npm run check` checks them. Without the dataset, which they don't need, they can't be.
      ...{ noCheck: true, types: [] },
    },
    include: [],
    files: [join(SRC, 'package/index.ts')],
  }
  const file = `${outDir}.json`
  writeFileSync(file, JSON.stringify(settings))
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', file], { stdio: 'inherit' })
  rmSync(file)

  cpSync(join(SRC, 'package/delivered.d.ts'), join(outDir, 'page/delivered.d.ts'))
  for (const name of readdirSync(outDir, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue
    const declaration = join(outDir, name)
    const text = readFileSync(declaration, 'utf8')
    writeFileSync(declaration, text.replace(SOURCE_IMPORT, "$1.js'"))
  }
}
