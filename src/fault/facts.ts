/**
 * The codes of all faults, each with the facts for its sentence. The sentences are in
 * `src/explain/sentences.ts`, but an owner's rule writes its own.
 */

/** A key of an object, and its value if that counts and isn't an object or a list. */
export interface Reason {
  key: string
  value?: string | number | boolean | null
  /** Set if the reason is that the key isn't there or, with values, that its value isn't one of these. */
  except?: readonly unknown[]
}

/** One thing that a schema demands of a value. */
export type Demand =
  | { kind: 'values'; values: readonly unknown[] }
  /** Types of JSON Schema. */
  | { kind: 'types'; types: readonly string[] }
  | { kind: 'keys'; keys: readonly string[] }
  | { kind: 'pattern'; pattern: string }
  | { kind: 'format'; format: string }
  /** What the owner of the schema has written beside a pattern. */
  | { kind: 'sentence'; sentence: string }
  | { kind: 'limit'; keyword: string; limit: number }
  | { kind: 'multiple'; unit: number }
  /** A key must be there, and its value must meet demands. */
  | { kind: 'member'; key: string; demands: readonly Demand[] }

/** What a record is about, if `content.ts` says it. */
export type Identity = string | number

/** Whether a record is accepted. If the schema refuses it, no page was made of it. */
export type Standing = 'accepted' | 'refused' | 'refused by the schema'

/** What a file is instead of JSON. */
export type OtherKind = 'gzip' | 'ZIP' | 'PDF' | 'Git LFS'

/** A value that is allowed, or all values of a type of JSON Schema. */
export type Kind = { type: string } | { value: unknown }

/** The keys of a form's field that are checked. */
export type FieldKey = 'name' | 'label' | 'type' | 'placeholder' | 'required' | 'options'

/** The parts of a fault that an owner's rule returns. */
export type PartOfFault = 'pointer' | 'message' | 'code' | 'about' | 'at' | 'within' | 'instead'

/** Where a record came from: the name of its batch, and its position there, from 0. */
export interface OtherRecord {
  batch: string
  index: number
}

/** A fault without facts. */
type None = Record<never, never>

/** What a token of JSON is: a sign, a key, or a value without a sign. */
export type JsonToken = '{' | '}' | '[' | ']' | ':' | ',' | 'key' | 'value'

/** What must come at a place of a JSON text. */
interface Expected {
  due: readonly JsonToken[]
  /** The bracket that is open there, and its line from 1; undefined outside of all brackets. */
  bracket: JsonToken | undefined
  line: number
}

/** A text that doesn't match a pattern or a format. */
interface Mismatch {
  /** What is demanded; any one of them is enough. */
  demands: readonly Demand[]
  value: unknown
  /** Whether it's an item of a list. */
  isItem: boolean
  near: readonly unknown[]
  /** Texts that the schema gives as examples, and accepts. */
  examples: readonly string[]
}

/** What programs that know YAML 1.1 read. */
export type OldKind = 'true' | 'false' | 'date' | 'number' | 'text'

/** A key, or an item, above a line, and its indentation. */
export interface Neighbour {
  name: string | undefined
  line: number
  spaces: number
}

export interface FactsOf {
  // The file
  /** `format` is the one in which it's read. */
  'file.empty': { format?: string }
  'file.byte-order-mark': None
  'file.unreadable': { reason: string }
  /** `reason` is the first line of the error, which is our fault. */
  'file.failed': { reason: string }
  'file.not-read': { kind: 'file' | 'folder'; reason: string }
  'file.excludes-nothing': None
  'file.utf-16': None
  'file.not-utf-8': None
  'file.nul': None
  'file.other': { kind: OtherKind }
  /** A file that is neither a list nor an object. */
  'file.no-records': None
  /** A file without a list or an object of records under a key. */
  'file.no-key': { key: string }
  'file.record-twice': { number: number }
  'file.no-record': { number: number }

  // JSON. `accept` only knows that a file isn't in its format; `explain` finds one of the rest.
  'file.syntax': None
  /** How many levels there may be. */
  'json.too-deep': { most: number }
  'json.comma-missing': None
  'json.comma-trailing': None
  'json.comma-extra': None
  'json.end': Expected
  /** `sign` is the sign that goes on after the value of the file, or the bracket that is too many; or ''. */
  'json.after-end': {
    line: number
    sign: string
    /** The format that the collection names, whatever the name of the file says. */
    format?: string
  }
  'json.unexpected': Expected & { found: string }
  'json.word': { word: string; near: readonly string[] }
  'json.quote-extra': None
  /** `before` is the sign or word that it is missing before; '' at the end of a line. */
  'json.quote-missing': { before: string }
  /** `text` is written as in the file. */
  'json.quote': { text: string; next: string }
  'json.colon-inside': None
  /** `line` is that of the next quote; `isAtEnd` says whether only white space is before it. */
  'json.line-break': { line: number; isAtEnd: boolean }
  'json.string-end': None
  'json.control-character': { character: string }
  'json.escape': { escape: string }
  'json.comment': None
  /** In JSON with comments. */
  'json.comment-sign': None
  'json.comment-end': None
  'json.fence': None
  /** `line` is where the object or list begins that the bracket closes. */
  'json.bracket-missing': { bracket: '}' | ']'; line: number }
  /** `before` is the key, with its quotes; undefined at the beginning of the file. */
  'json.opening-missing': { bracket: '{' | '['; before: string | undefined }
  /** `partner` is the line of the bracket that must go with it, if one must. */
  'json.bracket-extra': { bracket: string; partner: number | undefined }
  /** `bracket` is the right one, which closes what begins at a line. */
  'json.bracket-wrong': { bracket: '}' | ']'; line: number }
  /** The brackets that a file lacks at its end, each with the line of what it closes. */
  'json.unclosed': { missing: readonly { bracket: '}' | ']'; line: number }[] }
  /** `line` is where the list, or the object, ends. */
  'json.keys-in-list': { line: number }
  /** `line` is where the list begins. */
  'json.key-in-list': { line: number }
  /** `isSingle` says whether it has only one value. */
  'json.object-for-list': { line: number; isSingle: boolean }
  /** More keys follow a bracket that closes the object which begins at a line. */
  'json.closed-too-early': { bracket: '}' | ']'; line: number; hasComma: boolean }
  'json.two-objects': None
  'json.colon-missing': { key: string }
  /** `mayBeList` says whether both values may be a list. */
  'json.comma-for-colon': { mayBeList: boolean }
  /** A text of an object that is a key without a value, or a value without a key. */
  'json.one-of-pair': { text: string; isFirst: boolean }
  'json.stray': { text: string }
  /** A quote that a backslash makes a part of the text that it must end. */
  'json.escaped-quote': None
  'json.key-without-quotes': { key: string }
  /** `key` is the one that has none. */
  'json.value-missing': { key: string }
  /** `meant` is the bracket of JSON, if that is clear. */
  'json.round-bracket': { meant: '{' | undefined }
  'json.no-json': { found: string }
  /** A second key before a value, after the `first`. */
  'json.second-key': { key: string; first: string }
  /** The lines that begin with a mark of a diff. */
  'json.diff': { lines: readonly number[] }
  'json.conflict': { lines: readonly number[] }
  /** `others` counts the same character in the rest of the file. */
  'json.invisible': { character: string; others: number }
  'json.lookalike': { character: string; meant: string; others: number }
  'json.line': None

  // YAML, and Markdown with front matter
  /** `found` comes `after` what was read last. Nothing more is known. */
  'yaml.syntax': { found: string; after?: Neighbour }
  /** `spaces` are before the line; it may belong beside one of the neighbours. */
  'yaml.indentation': { spaces: number; neighbours: readonly Neighbour[] }
  /** A key, or an item of a list, below what has a text: it may belong `beside` another one. */
  'yaml.below-text': { isItem: boolean; above: Neighbour; beside?: Neighbour }
  /** A key in the column of the items of a list; `inner` is the key of the item above it. */
  'yaml.item-missing': { inner?: Neighbour }
  /** A line that may continue the text of a key, or of an item; `textSpaces` are before that text. */
  'yaml.text': { key: string | undefined; spaces: number; textSpaces: number | undefined }
  /** A colon in a text without quotes. */
  'yaml.colon': None
  'yaml.tab': None
  'yaml.quote-missing': { quote: string }
  /** What comes `next` after a text in quotes. */
  'yaml.quote': { quote: string; next: string }
  /** A word with a colon and no space after it. */
  'yaml.colon-space': None
  /** An indented `---`. */
  'yaml.mark': None
  /** A bracket that isn't closed. */
  'yaml.bracket-missing': { sign: string; bracket: string }
  /** A text that begins with a list, or an object, in brackets. */
  'yaml.bracket-first': { sign: string }
  /** What comes `next` after `|` or `>`. */
  'yaml.block-start': { sign: string; next: string }
  /** A line without a key and a value. */
  'yaml.no-pair': None
  /** A backslash that begins no escape, with the character after it. */
  'yaml.escape': { escape: string }
  /** A line such as `-name`. */
  'yaml.dash': None
  /** A key after a text in quotes, as in `a: 'x' b: 1`. */
  'yaml.two-keys': None
  'yaml.conflict': { lines: readonly number[] }
  /** A sign that a text without quotes can't begin with. */
  'yaml.start': { sign: string }
  /** `isLast` says whether nothing comes after the mark. */
  'yaml.documents': { isLast: boolean }
  'yaml.version': None
  'yaml.tag': { tag: string }
  'yaml.key': { written: string }
  /** A number that JSON can't hold, such as `.inf`. */
  'yaml.number': { written: string }
  'yaml.merge': None
  'yaml.alias-unknown': { name: string }
  'yaml.alias-endless': { name: string }
  'yaml.alias-size': None
  /** CR alone ends the lines. */
  'front-matter.line-ends': None
  'front-matter.missing': { isToml: boolean }
  'front-matter.end': None
  'front-matter.no-object': None
  /** `key` is in the front matter, and is the key of the text, too. */
  'front-matter.body': { key: string }

  // What a value loses when it is read
  /**
   * `line` is that of the key before it; `isEqual` says whether both have the same value, `both` what
   * both values are. `merged` is what all merge keys of a map of YAML name, as one list.
   */
  'loss.repeated-key': {
    key: string
    line: number
    isEqual: boolean
    /** What both values are. */
    both?: 'lists' | 'objects'
    merged?: string
  }
  /** The first key of an item of a list comes again. */
  'loss.repeated-first-key': { key: string; line: number }
  /** `becomes` is the number that `JSON.parse` makes of it. */
  'loss.number': { becomes: number }
  'loss.lone-surrogate': None
  'loss.character': { others: number }
  'loss.yaml-1.1': { written: string; kind: OldKind }
  /** A number of YAML whose first zero or minus isn't kept. */
  'loss.zero': { written: string; becomes: number }
  /** A value of YAML that ends before a # with a space before it and none after it; and one that is all comment. */
  'loss.comment': { value: string; comment: string }
  'loss.no-value': { comment: string }

  // The schema. `accept` only knows that it refuses a value; `explain` finds one of the rest. `comment` is
  // why a value of YAML is null: `#ff8800` is a comment.
  'schema.refused': None
  /** `patterns` are those that keys may match. */
  'schema.unknown-key': {
    key: string
    known: readonly string[]
    patterns: readonly string[]
    near: readonly unknown[]
  }
  /** `isAllowed` says whether the object may have keys that the schema doesn't declare. */
  'schema.misspelled-key': { key: string; missing: string; isNear: boolean; isAllowed: boolean }
  /** A key that an object may have, though it is near to one that the schema declares. */
  'schema.near-key': { key: string; near: readonly string[] }
  /** It's allowed some levels higher, `beside` a key, or one level lower, `inside` one. */
  'schema.misplaced-key': {
    key: string
    levels: number
    beside?: string
    inside?: string
    known: readonly string[]
  }
  /** `isBeside` says whether it's allowed beside other keys than those that are here. */
  'schema.excluded-key': { key: string; isBeside: boolean }
  /** `values` says what the values of some of the keys must be. */
  'schema.missing-key': {
    keys: readonly string[]
    values: readonly { key: string; demands: readonly Demand[] }[]
  }
  /** Each kind of a union lacks other keys. */
  'schema.one-key': { choices: readonly (readonly string[])[] }
  /** The keys by which the kinds differ that a value fits, though it may only be one of them. */
  'schema.too-many-keys': { groups: readonly (readonly string[])[] }
  'schema.type': {
    kinds: readonly Kind[]
    value: unknown
    isItem: boolean
    near: readonly unknown[]
    comment?: string
  }
  'schema.enum': {
    allowed: readonly unknown[]
    value: unknown
    near: readonly unknown[]
    comment?: string
  }
  'schema.pattern': Mismatch
  'schema.format': Mismatch
  /** `choices` are what each of the kinds demands, if that can be said in words. */
  'schema.any-of': {
    count: number
    choices: readonly (readonly Demand[])[] | undefined
    value: unknown
    near: readonly unknown[]
  }
  'schema.one-of': { count: number; passing: number }
  'schema.not-allowed': None
  /** A value that fits a `not`, with all `demands` of that; none if words can't say them. */
  'schema.not': { value: unknown; demands: readonly Demand[]; comment?: string }
  /** `count` items of the list fit; `demands` are undefined if they can't be said in words. */
  'schema.contains': {
    demands: readonly Demand[] | undefined
    least: number
    most: number | undefined
    count: number
  }
  'schema.unique-items': { earlier: number; value: unknown }
  'schema.limit': { keyword: string; limit: number; value: unknown }
  'schema.multiple': { unit: number; value: unknown; near: readonly number[] }
  /** Any other keyword. */
  'schema.keyword': { keyword: string; value: unknown }
  /** The name of a key is refused: for the reason of the inner fault. */
  'schema.key-name': { fault: Saying }
  'schema.endless': None
  /** A file that must name its schema, and doesn't; `schemas` are spelled as it would name them. */
  'schema.unnamed': { schemas: readonly string[] }
  'schema.unknown-name': { value: unknown; schemas: readonly string[]; near: readonly string[] }

  // A schema itself, in its own file
  /** `file` is the name of the file that would be read, if there were one. */
  'schema-file.unknown-document': { reference: string; file: string | undefined }
  'schema-file.nothing-there': { reference: string }
  /** What the reference leads to depends on the schemas that refer to its schema. */
  'schema-file.dynamic': { reference: string }
  'schema-file.endless': None
  'schema-file.pattern': { reason: string }
  'schema-file.mark': { keyword: 'pagePath' | 'unique' }
  'schema-file.unknown-draft': { address: unknown }
  'schema-file.empty-enum': None
  /** `keyword` is the one that forbids the key. */
  'schema-file.required-forbidden': { key: unknown; keyword: string }
  'schema-file.no-check': None
  /** In the words of ajv. */
  'schema-file.not-compiled': { message: string }
  /** `draft` is that of the schema, if another one has the keyword. */
  'schema-file.unknown-keyword': {
    keyword: string
    draft: string | undefined
    near: readonly unknown[]
  }
  'schema-file.unknown-format': { format: string; near: readonly unknown[] }
  'schema-file.beside-ref': { keywords: readonly string[] }
  /** A keyword that checks nothing without another one beside it. */
  'schema-file.alone': { keyword: string; needed: string }

  // The HTML of a body. `accept` only knows that it's refused; `explain` finds one of the rest.
  'html.refused': None
  'html.text': { tag: string }
  /** `mayBeText` says whether the < may be text. */
  'html.element': { element: string; allowed: readonly string[]; mayBeText: boolean }
  /** `hasValues` says whether `written` has values that the list of allowed ones decides. */
  'html.tag': { written: string; tag: string; hasValues: boolean }
  'html.tag-or-text': { written: string; tag: string; hasValues: boolean }
  'html.rows': { tag: string }
  'html.order': { tag: string }
  'html.ampersand': { found: string; others: number }

  // What `content.ts` makes
  /** `name` is the function of `content.ts`, `reason` is what it has thrown. */
  'content.fails': { name: string; reason: string }
  'content.promise': { name: string }
  'content.no-number': { name: string; returned: unknown }
  'content.no-list': { name: string; returned: unknown }
  /** `key` is the name of a collection, under which the value is: maybe in a list. */
  'content.no-id': { key: string; isInList: boolean; value: unknown }
  'content.no-names': { name: string; returned: unknown }
  'content.no-fault': { name: string; item: unknown }
  /** A part of a fault that a rule returns; `message` is the message of that fault. */
  'content.odd-fault': {
    name: string
    key: PartOfFault
    value: unknown
    message: unknown
  }
  'page.no-object': { returned: unknown }
  /** `what` names a part of a page that JSON does not have, `place` is its pointer. */
  'page.not-json': { what: string; place: string }
  'page.half-character': { place: string }
  'record.not-json': { reason: string }
  'page.no-text': { key: string; value: unknown }
  'page.no-identity': { name: string; value: unknown }
  'page.no-path': None

  // A form
  'form.no-fields': None
  'form.missing-key': { key: FieldKey }
  'form.value': { key: FieldKey; value: unknown }
  'form.no-options': None
  /** `earlier` is the position of the other field. */
  'form.repeated-name': { name: string; earlier: number }

  // The id of a record: the value of `key`
  'id.missing': { key: string }
  /** No record of the collection has the key. */
  'id.no-key': { key: string; near: readonly string[] }
  'id.no-id': { key: string; value: unknown }

  // Between records
  'path.two-records': { identity: unknown; otherIdentity: unknown; other: OtherRecord }
  'path.conflict': { fields: readonly string[]; other: OtherRecord }
  /** Another record has this path, and no second one may: `explain` compares the two. */
  'path.refused': { other: OtherRecord }
  /** `fields` are those that differ. Without a batch, the other record is in the same one. */
  'path.repeated': {
    value: string
    fields: readonly string[]
    other: { batch: string | undefined; index: number }
    line: number
  }
  /** Two keys of one object have become one path. */
  'path.two-keys': { key: string; otherKey: string; other: number; line?: number }
  /** On some disks, the document of another page is the same file. */
  'path.one-file': { otherPath: string; other: OtherRecord }
  'schema.unique': { value: unknown; other: OtherRecord }
  /** The record belongs before another one of its file; `key` is the one that they're sorted by. */
  'order.before': {
    key: string | undefined
    value: unknown
    otherValue: unknown
    other: number
    line?: number
  }
  /** No record of the collection has text or a number to sort by: under `key`, or from a function. */
  'order.no-values': { key: string | undefined; near: readonly string[] }
  /**
   * Ids that no record of a collection has, each with one that may be meant, and the positions of the
   * records that refer to them. `explain` finds the places, each a `link.nowhere` or a
   * `reference.nowhere`.
   */
  'reference.refused': {
    to: string
    isLink: boolean
    targets: ReadonlyMap<string, string | undefined>
    records: ReadonlyMap<number, Standing>
  }
  'link.nowhere': { written: string; near: string | undefined }
  'reference.nowhere': { collection: string; value: Identity; near: string | undefined }
  /** A value at a path of `references`, or on the way there, that can't be there. */
  'reference.value': {
    value: unknown
    wanted: 'id' | 'list' | 'object'
    path: string
    to: string
  }
  /** `references` names nothing for any record: its function, or at a path. */
  'reference.none': { path: string | undefined }
  /** No record has a key of a path of `references`, though some could, and no schema declares the path. */
  'reference.no-path': { path: string; near: readonly string[] }
  /** `because` is the file in which the records may be. */
  'reference.unchecked': { references: number; to: string; because: string }

  'dataset.emptied': { folder: string }

  // What the site needs of a page
  'site.path': { path: string }
  'site.device': { path: string }
  'site.taken': { path: string }
  'site.title': { value: unknown }
  'site.body': { value: unknown }
  'site.language': { value: unknown }
  'site.instant': { value: unknown }
  'site.hiding-field': { name: unknown }
  /** `item` is in the list of facts. */
  'site.fact': { item: unknown }
  /** `name` is the name of a fact, `item` is its value or is in the list that is its value. */
  'site.fact-value': { name: string; item: unknown }
  /** `name` is the name of a fact, `href` where it leads. */
  'site.fact-link': { name: string; href: string }
  'site.image': { returned: unknown }
  'site.image-address': { src: string }
  /** `item` is what `group` returns, or is in the list that it returns. */
  'site.group': { item: unknown }
}

export type Code = keyof FactsOf

/** The code of an owner's rule, with the name of its function. */
export type RuleCode = `rule.${string}`

export type AnyCode = Code | RuleCode

/** Facts that any sentence may need. */
interface Circumstances {
  /** Why the schema demands something of an object, such as the keys that its `if` looks at. */
  because?: readonly Reason[]
  /** The key of the page that it is in, if `page` of `content.ts` has made that: it's nowhere in the file. */
  madeKey?: string
}

/** What a sentence needs of a fault. */
export interface SayingWith<C extends Code> extends Circumstances {
  /** The kind of fault, such as `schema.type`. */
  code: C
  facts: FactsOf[C]
}

/** The same for some codes. The code decides which facts there are. */
export type SayingOf<C extends Code = Code> = { [K in C]: SayingWith<K> }[C]

/** A sentence that an owner's rule has written. */
export interface RuleSaying extends Circumstances {
  code: RuleCode
  /** The whole sentence. */
  message: string
}

export type Saying = SayingOf | RuleSaying
