/** Makes the package `manyurls`: compiled code, declarations, and a small package.json. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, posix } from 'node:path'
import { build, type Plugin } from 'vite'
import { PACKED_DIGEST } from '../../src/machine/code-digest.ts'

const ROOT = join(import.meta.dirname, '../..')
const SRC = join(ROOT, 'src')

/** Writes the package into a folder, which is replaced. */
export async function makePackage(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writePackageJson(folder)
  await compile(join(folder, 'lib'))
  writeDigest(folder)
  declareTypes(join(folder, 'types'))
  writeDocuments(folder)
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
  cpSync(join(SRC, 'package/action.yml'), join(folder, 'action.yml'))
  cpSync(join(SRC, 'package/pre-commit-hooks.yaml'), join(folder, '.pre-commit-hooks.yaml'))
}

interface PackageJson {
  version: string
  license: string
  engines: Record<string, string>
}

export function readPackageJson(): PackageJson {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
}

const TYPES = './types/package/index.d.ts'

/** The licences of all packages that are a part of ours. */
const LICENSES = 'THIRD_PARTY_LICENSES.md'

const DESCRIPTION =
  'Checks JSON, YAML and Markdown files by a JSON Schema and your own rules, says where each mistake is, fixes what is certain, and builds one deduplicated, typed dataset.'

function writePackageJson(folder: string): void {
  const { version, license, engines } = readPackageJson()
  const repository = process.env.GITHUB_REPOSITORY
  const content = {
    ...{ name: 'manyurls', version, description: DESCRIPTION, license },
    // A registry compares it with where the package was built.
    ...(repository && { repository: `git+https://github.com/${repository}.git` }),
    ...{ type: 'module', engines },
    bin: { manyurls: 'lib/bin.js' },
    exports: { '.': { types: TYPES, default: './lib/index.js' } },
    types: TYPES,
    files: ['lib', 'types', 'docs', LICENSES],
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(content, null, 2)}\n`)
}

/** A version in `manyurls-0.5.0.tgz` or `package-v0.5.0`. */
const INSTALLED_VERSION = /(?<=\bmanyurls-|\bpackage-v)\d+\.\d+\.\d+/g

/** The documents of the package, by the names that they have in this repository. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  'src/package/README.md': 'README.md',
  'src/collections/README.md': 'docs/configuration.md',
  'schema/README.md': 'docs/schemas.md',
}

/** A link to a document of this repository, such as `[each shape](../../schema/README.md#yaml)`. */
const LINK = /\[([^\]]+)\]\((\.[^)#]*)(#[^)]*)?\)/g

/** How the part begins that is for those who change our code. */
const CODE = '\n## The code\n'

/** Writes the guides, with this version and repository, and without links to what isn't in the package. */
function writeDocuments(folder: string): void {
  const { version } = readPackageJson()
  const owner = process.env.GITHUB_REPOSITORY_OWNER ?? 'OWNER'
  mkdirSync(join(folder, 'docs'))

  for (const [source, target] of Object.entries(DOCUMENTS)) {
    const [guide = ''] = readFileSync(join(ROOT, source), 'utf8').split(CODE)
    const named = guide.replace(INSTALLED_VERSION, version).replaceAll('OWNER/', `${owner}/`)
    const linked = named.replace(LINK, (_, text: string, path: string, anchor = '') => {
      const document = DOCUMENTS[posix.join(posix.dirname(source), path)]
      if (document === undefined) return text
      return `[${text}](${posix.relative(posix.dirname(target), document)}${anchor})`
    })
    writeFileSync(join(folder, target), linked.trimEnd().concat('\n'))
  }
}

/** How our modules load a package on demand. */
const CREATED_REQUIRE = /^const require = createRequire\(import\.meta\.url\)$/m

/** How jiti loads Babel on demand. */
const REQUIRED_AT_ONCE = /\bcreateRequire\(import\.meta\.url\)(?=\()/g

/** Leaves `require` to the bundler, so that what is loaded on demand gets into the package. */
function bundledRequire(): Plugin {
  return {
    name: 'bundled-require',
    enforce: 'pre',
    transform(code) {
      return code.replace(CREATED_REQUIRE, '').replace(REQUIRED_AT_ONCE, 'require')
    },
  }
}

/**
 * Compiles the commands with all packages that they need: what is installed is one package, and it starts
 * faster. What only some runs need is a file of its own.
 */
async function compile(outDir: string): Promise<void> {
  await build({
    root: ROOT,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    plugins: [bundledRequire()],
    ssr: { noExternal: true },
    define: { 'process.env.NODE_ENV': '"production"' },
    // Otherwise, the NODE_ENV of whoever packs decides.
    oxc: { jsx: { development: false } },
    resolve: {
      alias: [{ find: /^prettier$/, replacement: join(import.meta.dirname, 'prettier.ts') }],
    },
    build: {
      ssr: true,
      target: 'node20',
      outDir,
      emptyOutDir: true,
      license: { fileName: LICENSES },
      rolldownOptions: {
        input: {
          bin: join(SRC, 'package/bin.ts'),
          action: join(SRC, 'package/action.ts'),
          index: join(SRC, 'package/index.ts'),
          // It reads the styles of a report from where they are.
          'report/html/write-report': join(SRC, 'report/html/write-report.ts'),
        },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
  })
  renameSync(join(outDir, LICENSES), join(outDir, '..', LICENSES))
  chmodSync(join(outDir, 'bin.js'), 0o755)
  for (const style of ['report/html/report.css', 'app/style.css'])
    cpSync(join(SRC, style), join(outDir, style))
}

/** Writes the digest of the compiled code, by which caches know it. */
function writeDigest(folder: string): void {
  const lib = join(folder, 'lib')
  const hash = createHash('sha256')
  for (const name of readdirSync(lib, { recursive: true, encoding: 'utf8' }).sort()) {
    if (statSync(join(lib, name)).isFile()) hash.update(readFileSync(join(lib, name)))
  }
  writeFileSync(join(folder, PACKED_DIGEST), hash.digest('hex'))
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
  // As the types of CommonJS, both kinds of modules may import them: Node requires ES modules, but
  // TypeScript refuses it (TS1479).
  writeFileSync(join(outDir, 'package.json'), '{ "type": "commonjs" }\n')
  for (const name of readdirSync(outDir, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue
    const declaration = join(outDir, name)
    const text = readFileSync(declaration, 'utf8')
    writeFileSync(declaration, text.replace(SOURCE_IMPORT, "$1.js'"))
  }
}
