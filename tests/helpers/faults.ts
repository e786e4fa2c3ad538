/**
 * Mistakes that authors make, each with the place and the message that report it: one problem per
 * mistake. To add one, write down what the author did, where it must be reported and what would
 * have helped. Then run `npx vitest run -c tests/vitest.config.ts tests/batch/faults.test.ts`.
 */

import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const schema = JSON.parse(readFileSync('tests/helpers/batch.schema.json', 'utf8'))

/** A batch of one valid page. */
export const GOOD = `[
  {
    "path": "/blog/029",
    "title": "Blog Page 029",
    "contentHtml": "<p>Text.</p>",
    "form": {
      "fields": [
        {
          "name": "email",
          "label": "Email Address",
          "type": "email",
          "placeholder": "you@example.com",
          "required": true
        }
      ]
    },
    "createdAt": "2025-08-28T10:15:00.000Z",
    "updatedAt": "2025-08-28T10:17:30.000Z"
  }
]
`

/** @public `tests/sample/` uses it too. */
export type Changes = [from: string, to: string][]

export interface Fault {
  /** What the author did. */
  fault: string
  /** The whole file, or the replacements in a valid batch. */
  batch: string | Uint8Array | Changes
  /** That valid batch, if it is not GOOD. */
  of?: string
  /** Line and column, from 1. */
  at: string
  says: string
}

/** @public */
export const PAGE = GOOD.slice(GOOD.indexOf('{'), GOOD.lastIndexOf('}') + 1)
/** The page on one line. */
const LINE = JSON.stringify(JSON.parse(PAGE))
/** The form of the page, and its field, as they are written there. */
const FORM = PAGE.slice(PAGE.indexOf('{', 1), PAGE.indexOf('    },') + 5)
const FIELD = FORM.slice(FORM.indexOf('{', 1), FORM.indexOf('}') + 1)
/** A batch of two pages. */
const TWO = GOOD.replace(PAGE, `${PAGE},\n  ${PAGE}`)
const BETWEEN = '  },\n  {'
/** Changes around the list. */
const around = (start: string, end: string): Changes => [
  ['[\n  {', start],
  ['  }\n]', end],
]
const [START, END] = ['[\n  {\n    "path": "/blog/029",', '  }\n]\n']
const FILLER = 'Words and more words. '.repeat(25)

const path = (value: string): Changes => [['/blog/029', value]]
const title = (value: string): Changes => [['Blog Page 029', value]]
const body = (value: string): Changes => [['<p>Text.</p>', value]]
const created = (value: string): Changes => [['2025-08-28T10:15:00.000Z', value]]

const JSON_IS =
  'but a batch is JSON: a list in [ ] of pages in { }, keys and texts in double quotes'
const IN_STRING =
  'it is JSON inside a string: remove the quotes around it and the backslashes in it'
const UNCHECKED = ' (what is in it was not checked)'
const BODY = 'a body is made of <p> elements and text'
const DID = 'did you mean "/blog/029"?'
const START_OF_PATH = 'must begin with a slash and the category'
const KNOWN_PAGE = `known here: ${Object.keys(schema.$defs.page.properties)
  .map((key) => `"${key}"`)
  .join(', ')}`
/** @public */
export const GENERAL_TIME = 'must be an RFC 3339 date-time such as "2025-08-28T10:15:00.000Z"'

export const FAULTS: Fault[] = [
  // The file -------------------------------------------------------------------------------------
  {
    fault: 'an empty file',
    batch: '',
    at: '1:1',
    says: 'the file is empty; a batch is a JSON array of pages, at least []',
  },
  {
    fault: 'a byte-order mark at the start',
    batch: `\ufeff${GOOD}`,
    at: '1:1',
    says: 'the file begins with a byte-order mark; save it as UTF-8 without BOM',
  },
  {
    fault: 'a file that was cut off in the middle of a text',
    batch: GOOD.slice(0, GOOD.indexOf(' Page')),
    at: '4:14',
    says: 'the file ends inside this string',
  },
  {
    fault: 'a file without its last bracket',
    batch: GOOD.slice(0, -3),
    at: '19:4',
    says: 'the file ends here, where a "," or the end of the array must come (the array opens at line 1)',
  },
  {
    fault: 'one bracket too many',
    batch: `${GOOD}]\n`,
    at: '21:1',
    says: 'this "]" closes nothing, because the list has ended before it; remove it',
  },
  {
    fault: 'two lists, one after the other',
    batch: `${GOOD}${GOOD}`,
    at: '21:1',
    says: 'a second list begins here; replace the ] and [ between the two with a comma',
  },
  {
    fault: 'two lists with a comma between them',
    batch: `[${LINE}],\n[${LINE}]`,
    at: `1:${LINE.length + 3}`,
    says: 'the list has ended before this; remove the "]" before it, and the "[" after if there is one',
  },
  {
    fault: 'one page per line, without a list (NDJSON)',
    batch: `${LINE}\n${LINE}\n`,
    at: '2:1',
    says: 'a second page begins here; put [ before the first page, a comma between two, and ] after the last',
  },
  {
    fault: 'pages with commas between them, without a list',
    batch: `${LINE},\n${LINE}\n`,
    at: `1:${LINE.length + 1}`,
    says: 'pages must be in a list; put [ before the first page and ] after the last',
  },
  {
    fault: 'text after the list',
    batch: `${GOOD}that is all\n`,
    at: '21:1',
    says: 'there is text after the end of the JSON value; remove it',
  },
  {
    fault: 'one page without a list',
    batch: around('  {', '  }'),
    at: '1:3',
    says: 'must be a list of pages; put [ before the page and ] after it',
  },
  {
    fault: 'the list under a key',
    batch: around('{ "pages": [\n  {', '  }\n] }'),
    at: '1:1',
    says: 'must be the list itself; keep only the list of the key "pages"',
  },
  {
    fault: 'a list in a list',
    batch: around('[[\n  {', '  }\n]]'),
    at: '1:2',
    says: `must be a page, but is a list; remove this [ and the ] that closes it${UNCHECKED}`,
  },
  {
    fault: 'YAML instead of JSON',
    batch: '- path: /blog/029\n  title: Blog Page 029\n',
    at: '1:1',
    says: `this looks like YAML, ${JSON_IS}`,
  },
  {
    fault: 'YAML with a document marker',
    batch: '---\n- path: /blog/029\n',
    at: '1:1',
    says: `this looks like YAML, ${JSON_IS}`,
  },
  {
    fault: 'YAML of one page',
    batch: 'path: /blog/029\n',
    at: '1:1',
    says: `this looks like YAML, ${JSON_IS}`,
  },
  {
    fault: 'HTML instead of JSON',
    batch: '<!doctype html>\n<p>Text.</p>\n',
    at: '1:1',
    says: `this looks like HTML or XML, ${JSON_IS}`,
  },
  {
    fault: 'a letter instead of JSON',
    batch: 'Dear editors,\n',
    at: '1:1',
    says: 'Dear is not a JSON value; text must be in double quotes, except for true, false and null',
  },
  {
    fault: 'an unresolved merge conflict',
    batch: `${START}\n<<<<<<< HEAD\n    "title": "Blog Page 029",\n=======\n    "title": "B",\n>>>>>>> other\n${END}`,
    at: '4:1',
    says: 'a merge conflict is left here; keep one side, remove its markers',
  },
  {
    fault: 'an unresolved merge conflict between pages',
    of: TWO,
    batch: [[BETWEEN, '  },\n=======\n  {']],
    at: '20:1',
    says: 'a merge conflict is left here; keep one side, remove its markers',
  },
  {
    fault: 'rows of a table (CSV)',
    batch: 'path,title,form\n/blog/029,Blog Page 029,\n',
    at: '1:1',
    says: `this looks like CSV, ${JSON_IS}`,
  },
  {
    fault: 'rows of a table with quotes and semicolons',
    batch: '"path";"title";"form"\n"/blog/029";"Blog Page 029";\n',
    at: '1:1',
    says: `this looks like CSV, ${JSON_IS}`,
  },
  {
    fault: 'a pointer of Git LFS',
    batch: 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n',
    at: '1:1',
    says: 'this is a pointer of Git LFS, not the file itself; run git lfs pull',
  },
  {
    fault: 'a compressed file',
    batch: gzipSync(GOOD),
    at: '1:1',
    says: 'the file is compressed (gzip); unpack it',
  },
  {
    fault: 'a module of JavaScript',
    batch: `export default ${GOOD}`,
    at: '1:1',
    says: 'this is JavaScript; remove export default before the list, and any ; after it',
  },
  {
    fault: 'a variable of TypeScript',
    batch: `const pages: Page[] = ${GOOD}`,
    at: '1:1',
    says: 'this is JavaScript; remove const pages: Page[] = before the list, and any ; after it',
  },
  {
    fault: 'a code fence around the list',
    batch: `\`\`\`json\n${GOOD}\`\`\`\n`,
    at: '1:1',
    says: 'this is a code fence; remove its lines, ``` before the list and ``` after it',
  },
  {
    fault: 'the list inside a string',
    batch: JSON.stringify(GOOD),
    at: '1:1',
    says: `must be an array; ${IN_STRING}${UNCHECKED}`,
  },
  {
    fault: 'the list under a key, beside others',
    batch: around('{ "data": [\n  {', '  }\n], "meta": {} }'),
    at: '1:1',
    says: 'must be the list itself; keep only the list of the key "data"',
  },
  {
    fault: 'the list in an object with a $schema',
    batch: around('{ "$schema": "batch.json", "pages": [\n  {', '  }\n] }'),
    at: '1:1',
    says: 'must be the list itself; keep only the list of the key "pages"',
  },
  {
    fault: 'pages by their paths',
    batch: around('{ "/blog/029": {', '  } }'),
    at: '1:1',
    says: `must be a list of pages; write [ ] instead of this { }, and remove the key before each page${UNCHECKED}`,
  },
  {
    fault: 'a page under a key',
    batch: [[PAGE, `{ "page": ${PAGE} }`]],
    at: '2:3',
    says: 'must be the page itself; remove the object and its key "page" around it',
  },

  // JSON -----------------------------------------------------------------------------------------
  {
    fault: 'a missing comma between two keys',
    batch: [['"/blog/029",', '"/blog/029"']],
    at: '3:24',
    says: 'a comma must come here, between this value and the next',
  },
  {
    fault: 'a missing comma after a form',
    batch: [['    },\n', '    }\n']],
    at: '16:6',
    says: 'a comma must come here, between this value and the next',
  },
  {
    fault: 'a missing comma between two pages',
    of: TWO,
    batch: [[BETWEEN, '  }\n  {']],
    at: '19:4',
    says: 'a comma must come here, between this value and the next',
  },
  {
    fault: 'a comma after the last key',
    batch: [['"2025-08-28T10:17:30.000Z"', '"2025-08-28T10:17:30.000Z",']],
    at: '18:44',
    says: 'no comma may follow the last member of an object',
  },
  {
    fault: 'a comma after the last page',
    batch: [['  }\n]', '  },\n]']],
    at: '19:4',
    says: 'no comma may follow the last item of an array',
  },
  {
    fault: 'two commas',
    batch: [['"/blog/029",', '"/blog/029",,']],
    at: '3:25',
    says: 'unexpected ","; remove it (a key in double quotes must come here)',
  },
  {
    fault: 'two commas between pages',
    of: TWO,
    batch: [[BETWEEN, '  },,\n  {']],
    at: '19:5',
    says: 'unexpected ","; remove it (a value must come here)',
  },
  {
    fault: 'a semicolon instead of a comma',
    batch: [['"/blog/029",', '"/blog/029";']],
    at: '3:24',
    says: 'unexpected ";"; write a comma instead',
  },
  {
    fault: 'a missing colon',
    batch: [['"path": ', '"path" ']],
    at: '3:12',
    says: `unexpected '"'; the ":" after the key must come here`,
  },
  {
    fault: 'an equals sign instead of a colon',
    batch: [['"path": ', '"path" = ']],
    at: '3:12',
    says: 'unexpected "="; the ":" after the key must come here',
  },
  {
    fault: 'a missing value',
    batch: [['"path": "/blog/029"', '"path": ']],
    at: '3:13',
    says: 'unexpected ","; a value must come here',
  },
  {
    fault: 'the wrong bracket at the end of a list',
    batch: [['      ]\n', '      }\n']],
    at: '15:7',
    says: 'unexpected "}"; a "," or the end of the array must come here (the array opens at line 7)',
  },
  {
    fault: 'single quotes',
    batch: [['"/blog/029"', "'/blog/029'"]],
    at: '3:13',
    says: `unexpected "'"; a value must come here (JSON has double quotes only)`,
  },
  {
    fault: 'curly quotes around a text',
    batch: [['"/blog/029"', '“/blog/029”']],
    at: '3:13',
    says: 'unexpected “ (U+201C); write " instead (a value must come here)',
  },
  {
    fault: 'curly quotes around a key',
    batch: [['"title"', '“title”']],
    at: '4:5',
    says: 'unexpected “ (U+201C); write " instead (a key in double quotes must come here)',
  },
  {
    fault: 'a curly quote at the end of a text only',
    batch: [['"/blog/029"', '"/blog/029”']],
    at: '3:23',
    says: '” (U+201D) does not end the string; write " instead',
  },
  {
    fault: 'a key without quotes',
    batch: [['"title"', 'title']],
    at: '4:5',
    says: 'the key title must be in double quotes',
  },
  {
    fault: 'a text without quotes',
    batch: [['"/blog/029"', 'blog']],
    at: '3:13',
    says: 'blog is not a JSON value; text must be in double quotes, except for true, false and null',
  },
  {
    fault: 'double quotes within a text',
    batch: body('<p>They said "yes" to it.</p>'),
    at: '5:34',
    says: 'this quote ends the string; a double quote within a text is written \\"',
  },
  {
    fault: 'double quotes of an attribute within a text',
    batch: body('<p class="a">Text.</p>'),
    at: '5:30',
    says: 'this quote ends the string; a double quote within a text is written \\"',
  },
  {
    fault: 'double quotes of a link within a text',
    batch: body('<p><a href="/guides/">a</a></p>'),
    at: '5:32',
    says: 'this quote ends the string; a double quote within a text is written \\"',
  },
  {
    fault: 'double quotes of a link to a heading within a text',
    batch: body('<p><a href="#top">a</a></p>'),
    at: '5:32',
    says: 'this quote ends the string; a double quote within a text is written \\"',
  },
  {
    fault: 'double quotes of an empty attribute within a text',
    batch: body('<p><img alt="">a</p>'),
    at: '5:33',
    says: 'this quote ends the string; a double quote within a text is written \\"',
  },
  {
    fault: 'a quote that is not closed',
    batch: [['"/blog/029"', '"/blog/029']],
    at: '3:13',
    says: 'this string does not end on its line (a line break in it is written "\\n")',
  },
  {
    fault: 'a line break within a text',
    batch: body('<p>One\ntwo.</p>'),
    at: '5:20',
    says: 'this string does not end on its line (a line break in it is written "\\n")',
  },
  {
    fault: 'a tab within a text',
    batch: body('<p>One\ttwo.</p>'),
    at: '5:27',
    says: 'a tab in a text must be written "\\t"',
  },
  {
    fault: 'a control character within a text',
    batch: body('<p>One\u0007two.</p>'),
    at: '5:27',
    says: 'a control character must be written "\\u0007"',
  },
  {
    fault: 'the backslashes of a Windows path',
    batch: body('<p>C:\\data</p>'),
    at: '5:26',
    says: 'JSON has no such escape; write a backslash as "\\\\"',
  },
  {
    fault: 'a comment',
    batch: [['    "title"', '    // the title\n    "title"']],
    at: '4:5',
    says: 'unexpected "/"; a key in double quotes must come here (JSON has no comments)',
  },
  {
    fault: 'a no-break space before a key',
    batch: [['    "title"', '   \u00a0"title"']],
    at: '4:4',
    says: 'unexpected no-break space (U+00A0); remove it (a key in double quotes must come here)',
  },
  {
    fault: 'an ideographic space before a value',
    batch: [['"title": ', '"title":\u3000']],
    at: '4:13',
    says: 'unexpected invisible character (U+3000); remove it (a value must come here)',
  },
  {
    fault: 'a zero-width space before a key',
    batch: [['    "title"', '    \u200b"title"']],
    at: '4:5',
    says: 'unexpected invisible character (U+200B); remove it (a key in double quotes must come here)',
  },
  {
    fault: 'a byte-order mark inside, from two concatenated files',
    batch: [['[\n  {', '[\n  \ufeff{']],
    at: '2:3',
    says: 'unexpected byte-order mark (U+FEFF); remove it (a value must come here)',
  },
  {
    fault: 'a zero-width space after a value',
    batch: [['"/blog/029",', '"/blog/029"\u200b,']],
    at: '3:24',
    says: 'unexpected invisible character (U+200B); remove it (a "," or the end of the object must come here)',
  },
  {
    fault: 'True as in Python',
    batch: [['true', 'True']],
    at: '13:23',
    says: 'True is not a JSON value; did you mean true?',
  },
  {
    fault: 'None as in Python',
    batch: [['"/blog/029"', 'None']],
    at: '3:13',
    says: 'None is not a JSON value; did you mean null?',
  },
  {
    fault: 'undefined as in JavaScript',
    batch: [['"/blog/029"', 'undefined']],
    at: '3:13',
    says: 'undefined is not a JSON value; did you mean null?',
  },
  {
    fault: 'a date-time without quotes',
    batch: [['"2025-08-28T10:15:00.000Z"', '2025-08-28T10:15:00.000Z']],
    at: '17:18',
    says: '2025-08-28T10 is not a JSON number; a date must be in double quotes',
  },
  {
    fault: 'a number with a leading zero',
    batch: [['"/blog/029"', '029']],
    at: '3:13',
    says: '029 is not a JSON number (no leading zero or plus, digits on both sides of the point)',
  },
  {
    fault: 'a repeated key',
    batch: [['    "form"', '    "form": null,\n    "form"']],
    at: '7:5',
    says: 'must not repeat a key; all but the last value would be lost',
  },
  {
    fault: 'half of an emoji as an escape',
    batch: body('<p>\\ud83d</p>'),
    at: '5:24',
    says: 'must be well-formed Unicode, but has a lone surrogate',
  },
  {
    fault: 'a lost }, between two pages',
    of: TWO,
    batch: [[BETWEEN, '  {']],
    at: '18:44',
    says: '}, must come here, to end this object before the next one',
  },
  {
    fault: 'a lost } between two pages',
    of: TWO,
    batch: [[`\n${BETWEEN}`, ',\n  {']],
    at: '18:44',
    says: '} must come here, to end this object before the next one',
  },
  {
    fault: 'a lost }, { between two pages',
    of: TWO,
    batch: [[`${BETWEEN}\n`, '']],
    at: '18:44',
    says: '}, { must come here, between this object and the next',
  },
  {
    fault: 'a lost } { between two pages',
    of: TWO,
    batch: [[`\n${BETWEEN}\n`, ',\n']],
    at: '19:5',
    says: 'another object begins here; replace the comma before it with }, { (the two were not fully checked)',
  },
  {
    fault: 'a missing { before the first page',
    batch: [['[\n  {', '[\n']],
    at: '3:5',
    says: 'a { must come before this key',
  },
  {
    fault: 'a missing { before the second page',
    of: TWO,
    batch: [['},\n  {', '},\n']],
    at: '21:5',
    says: 'a { must come before this key',
  },
  {
    fault: 'a missing { before the fields of a form',
    batch: [['"form": {', '"form":']],
    at: '7:7',
    says: 'a { must come before this key',
  },
  {
    fault: 'one } too many in a page',
    batch: [['    },\n', '    }},\n']],
    at: '16:6',
    says: 'this } ends the object before its key "createdAt"; remove it',
  },
  {
    fault: 'one } too many after a page',
    of: TWO,
    batch: [[BETWEEN, '  }},\n  {']],
    at: '19:4',
    says: 'this } closes nothing; remove it',
  },
  {
    fault: 'one } too many after the last page',
    batch: [['  }\n]', '  }}\n]']],
    at: '19:4',
    says: 'this } closes nothing; remove it',
  },
  {
    fault: 'a dot instead of a comma',
    batch: [['"/blog/029",', '"/blog/029".']],
    at: '3:24',
    says: 'unexpected "."; write a comma instead',
  },
  {
    fault: 'a key without its second quote',
    batch: [['"title": ', '"title: ']],
    at: '4:11',
    says: 'a " must come here, to end the key',
  },
  {
    fault: 'a straight quote that ends a curly one',
    batch: body('<p>Say “yes", then go.</p>'),
    at: '5:32',
    says: 'this quote ends the string; write ” to match the “ before it, or \\"',
  },
  {
    fault: 'a quote within a text, before a comma',
    batch: body('<p>Say yes", then go.</p>'),
    at: '5:31',
    says: 'this quote ends the string; a double quote within a text is written \\"',
  },
  {
    fault: 'full-width quotes around a key',
    batch: [['"title"', '＂title＂']],
    at: '4:5',
    says: 'unexpected ＂ (U+FF02); write " instead (a key in double quotes must come here)',
  },
  {
    fault: 'a full-width colon',
    batch: [['"title":', '"title"：']],
    at: '4:12',
    says: 'unexpected ： (U+FF1A); write : instead (the ":" after the key must come here)',
  },
  {
    fault: 'backticks around a text',
    batch: [['"/blog/029"', '`/blog/029`']],
    at: '3:13',
    says: 'unexpected "`"; a value must come here (JSON has double quotes only)',
  },
  {
    fault: 'an escaped apostrophe',
    batch: body("<p>It\\'s</p>"),
    at: '5:26',
    says: "JSON has no escape \\'; write ' without the backslash",
  },
  {
    fault: 'an escape with \\x',
    batch: body('<p>\\x41</p>'),
    at: '5:24',
    says: 'JSON has no escape \\x41; write \\u0041',
  },
  {
    fault: 'an escape with braces',
    batch: body('<p>\\u{1f600}</p>'),
    at: '5:24',
    says: 'JSON has no escape \\u{1f600}; write \\ud83d\\ude00',
  },

  // Records and their keys ------------------------------------------------------------------------
  {
    fault: 'an empty record',
    batch: [[PAGE, '{}']],
    at: '2:3',
    says: 'must have the keys "path", "title", "contentHtml", "form", "createdAt" and "updatedAt"',
  },
  {
    fault: 'two missing keys',
    batch: [
      ['    "path": "/blog/029",\n', ''],
      ['    "title": "Blog Page 029",\n', ''],
    ],
    at: '2:3',
    says: 'must have the keys "path" and "title"',
  },
  {
    fault: 'no form',
    batch: [[`    "form": ${FORM},\n`, '']],
    at: '2:3',
    says: 'must have the key "form"; a page without a form has "form": null',
  },
  {
    fault: 'a misspelled key',
    batch: [['"title"', '"titel"']],
    at: '4:5',
    says: 'unknown key "titel"; did you mean "title"?',
  },
  {
    fault: 'a key in another case',
    batch: [['contentHtml', 'contentHTML']],
    at: '5:5',
    says: 'unknown key "contentHTML"; did you mean "contentHtml"?',
  },
  {
    fault: 'a zero-width space in a key',
    batch: [['"title"', '"ti\u200btle"']],
    at: '4:5',
    says: 'unknown key "ti\\u200btle"; did you mean "title"?',
  },
  {
    fault: 'an unknown key',
    batch: [['    "title"', '    "mood": "A",\n    "title"']],
    at: '4:5',
    says: `unknown key "mood"; remove it, its value and the comma after it; ${KNOWN_PAGE}`,
  },
  {
    fault: 'an unknown key at the end',
    batch: [['30.000Z"', '30.000Z",\n    "tone": "A"']],
    at: '19:5',
    says: `unknown key "tone"; remove it, its value and the comma before it; ${KNOWN_PAGE}`,
  },
  {
    fault: 'a record that is null',
    batch: [['  }\n]', '  },\n  null\n]']],
    at: '20:3',
    says: 'must be an object, but is null',
  },
  {
    fault: 'a Cyrillic letter in a key',
    batch: [['"title"', '"tіtle"']],
    at: '4:5',
    says: 'unknown key "tіtle"; did you mean "title"? (і is a Cyrillic letter; write i)',
  },

  // Paths ----------------------------------------------------------------------------------------
  {
    fault: 'a number of two digits',
    batch: path('/blog/29'),
    at: '3:20',
    says: `the number must have three digits; ${DID}`,
  },
  {
    fault: 'a number of four digits',
    batch: path('/blog/0029'),
    at: '3:20',
    says: `the number must have three digits; ${DID}`,
  },
  {
    fault: 'a number of two digits, in the title as well',
    batch: [...path('/blog/29'), ...title('Blog Page 29')],
    at: '3:20',
    says: `the number must have three digits; ${DID} (the title has the same mistake)`,
  },
  {
    fault: 'the number 101',
    batch: [...path('/blog/101'), ...title('Blog Page 101')],
    at: '3:20',
    says: 'the number must be from 001 to 100, but is "101" (the title has the same mistake)',
  },
  {
    fault: 'the number 000',
    batch: [...path('/blog/000'), ...title('Blog Page 000')],
    at: '3:20',
    says: 'the number must be from 001 to 100, but is "000" (the title has the same mistake)',
  },
  {
    fault: 'a misspelled category',
    batch: path('/blogs/029'),
    at: '3:15',
    says: `unknown category "blogs"; ${DID}`,
  },
  {
    fault: 'a misspelled category, in the title as well',
    batch: [...path('/blogs/029'), ...title('Blogs Page 029')],
    at: '3:15',
    says: `unknown category "blogs"; ${DID} (the title has the same mistake)`,
  },
  {
    fault: 'a category that does not exist',
    batch: [...path('/shop/029'), ...title('Shop Page 029')],
    at: '3:15',
    says: 'unknown category "shop"; known categories: about, api, blog, careers, community, contact, docs, downloads, events, features, help, news, pricing, products, services, support (the title has the same mistake)',
  },
  {
    fault: 'a category in capitals',
    batch: path('/Blog/029'),
    at: '3:15',
    says: `unknown category "Blog"; ${DID}`,
  },
  {
    fault: 'a slash at the end',
    batch: path('/blog/029/'),
    at: '3:23',
    says: `nothing may follow the number; ${DID}`,
  },
  {
    fault: 'the name of a file',
    batch: path('/blog/029.html'),
    at: '3:23',
    says: `nothing may follow the number; ${DID}`,
  },
  {
    fault: 'a whole URL',
    batch: path('https://example.com/blog/029'),
    at: '3:14',
    says: `${START_OF_PATH}; ${DID}`,
  },
  {
    fault: 'no slash at the start',
    batch: path('blog/029'),
    at: '3:14',
    says: `${START_OF_PATH}; ${DID}`,
  },
  {
    fault: 'two slashes',
    batch: path('/blog//029'),
    at: '3:19',
    says: `exactly one slash must come before the number; ${DID}`,
  },
  {
    fault: 'a space before the path',
    batch: path(' /blog/029'),
    at: '3:14',
    says: `${START_OF_PATH}; ${DID}`,
  },
  {
    fault: 'a Cyrillic letter in a path',
    batch: path('/blоg/029'),
    at: '3:17',
    says: 'о is a Cyrillic letter; write o',
  },
  {
    fault: 'full-width digits in a path',
    batch: path('/blog/０２９'),
    at: '3:20',
    says: '０ is U+FF10; write 0 (and 2 more in this text)',
  },

  {
    fault: 'a Cyrillic letter in a title',
    batch: title('Blоg Page 029'),
    at: '4:17',
    says: 'о is a Cyrillic letter; write o',
  },

  // Bodies ---------------------------------------------------------------------------------------
  {
    fault: 'an & after many words',
    batch: body(`<p>${FILLER}Q & A</p>`),
    at: `5:${24 + FILLER.length + 2}`,
    says: 'write & as &amp;',
  },
  {
    fault: 'an & after a quote that is an escape',
    batch: body('<p>\\"Q\\" \\u0026 A</p>'),
    at: '5:30',
    says: 'write & as &amp;',
  },
  { fault: 'an & in a name', batch: body('<p>AT&T</p>'), at: '5:26', says: 'write & as &amp;' },
  {
    fault: 'an entity without its semicolon',
    batch: body('<p>Q &amp A</p>'),
    at: '5:26',
    says: 'a semicolon must follow &amp',
  },
  {
    fault: 'the entity of a letter',
    batch: body('<p>Caf&eacute;</p>'),
    at: '5:27',
    says: 'write é itself; the only names allowed are &amp; &lt; &gt; &quot; &apos; &nbsp;',
  },
  {
    fault: 'the entity of a sign',
    batch: body('<p>&copy; 2025</p>'),
    at: '5:24',
    says: 'write © itself; the only names allowed are &amp; &lt; &gt; &quot; &apos; &nbsp;',
  },
  {
    fault: 'the entity of a dash, within a longer text',
    batch: body('<p>One&mdash;two</p>'),
    at: '5:27',
    says: 'write — itself; the only names allowed are &amp; &lt; &gt; &quot; &apos; &nbsp;',
  },
  {
    fault: 'an entity that does not exist',
    batch: body('<p>&foo;</p>'),
    at: '5:24',
    says: 'there is no entity "&foo;"; write & as &amp;',
  },
  {
    fault: 'an entity for no character',
    batch: body('<p>a&#0;b</p>'),
    at: '5:25',
    says: '&#0; is not a character; browsers show \ufffd for it',
  },
  {
    fault: 'an entity for a character beyond Unicode',
    batch: body('<p>a&#x110000;b</p>'),
    at: '5:25',
    says: '&#x110000; is not a character; browsers show \ufffd for it',
  },
  {
    fault: 'half of an emoji as an entity',
    batch: body('<p>a&#xD83D;b</p>'),
    at: '5:25',
    says: '&#xD83D; is not a character; browsers show \ufffd for it',
  },
  {
    fault: 'half of an emoji as a decimal entity',
    batch: body('<p>a&#55357;b</p>'),
    at: '5:25',
    says: '&#55357; is not a character; browsers show \ufffd for it',
  },
  {
    fault: 'bold words',
    batch: body('<p>One <b>two</b>.</p>'),
    at: '5:28',
    says: `the element <b> is not allowed; ${BODY}`,
  },
  {
    fault: 'a link',
    batch: body("<p>See <a href='/x'>this</a>.</p>"),
    at: '5:28',
    says: `the element <a> is not allowed; ${BODY}`,
  },
  {
    fault: 'a line break element',
    batch: body('<p>One<br>two.</p>'),
    at: '5:27',
    says: 'the element <br> is not allowed; begin a new paragraph with </p><p>',
  },
  {
    fault: 'a div around paragraphs',
    batch: body('<div><p>Text.</p></div>'),
    at: '5:21',
    says: `the element <div> is not allowed; ${BODY}`,
  },
  {
    fault: 'a script',
    batch: body('<p>Text.</p><script>alert(1)</script>'),
    at: '5:33',
    says: `the element <script> is not allowed; ${BODY}`,
  },
  {
    fault: 'a comment in a body',
    batch: body('<p>One <!-- two --> three.</p>'),
    at: '5:28',
    says: `a comment is not allowed; ${BODY}`,
  },
  {
    fault: 'an attribute',
    batch: body("<p class='a'>Text.</p>"),
    at: '5:21',
    says: 'a paragraph has no attributes; write <p>',
  },
  {
    fault: 'a tag in capitals',
    batch: body('<P>Text.</P>'),
    at: '5:21',
    says: 'write the tags as <p> and </p>',
  },
  {
    fault: 'a space in an end tag',
    batch: body('<p>Text.</p >'),
    at: '5:29',
    says: 'write the tags as <p> and </p>',
  },
  {
    fault: 'a < in words',
    batch: body('<p>1 < 2</p>'),
    at: '5:26',
    says: 'write < as &lt;',
  },
  {
    fault: 'a > in words',
    batch: body('<p>2 > 1</p>'),
    at: '5:26',
    says: 'write > as &gt;',
  },
  {
    fault: 'six paragraphs',
    batch: body('<p>a</p>'.repeat(6)),
    at: '5:61',
    says: 'a sixth paragraph begins here; five are allowed (what follows was not checked)',
  },
  {
    fault: 'an empty body',
    batch: body(''),
    at: '5:20',
    says: 'a body has at least one paragraph, such as <p>Text.</p>',
  },
  {
    fault: 'text without a paragraph',
    batch: body('Just text.'),
    at: '5:20',
    says: 'text must be inside a paragraph: <p>…</p>',
  },
  {
    fault: 'an empty paragraph',
    batch: body('<p>One.</p><p></p>'),
    at: '5:32',
    says: 'this paragraph has no text; write some, or remove it',
  },
  {
    fault: 'a paragraph of spaces',
    batch: body('<p>  </p>'),
    at: '5:20',
    says: 'this paragraph has no text; write some, or remove it',
  },
  {
    fault: 'text between paragraphs',
    batch: body('<p>One.</p>two<p>Three.</p>'),
    at: '5:32',
    says: 'text must be inside a paragraph: <p>…</p>',
  },
  {
    fault: 'a line break between paragraphs',
    batch: body('<p>One.</p>\\n<p>Two.</p>'),
    at: '5:32',
    says: 'a space or line break is not allowed here; remove it',
  },
  {
    fault: 'a space after the last paragraph',
    batch: body('<p>One.</p> '),
    at: '5:32',
    says: 'a space or line break is not allowed here; remove it',
  },
  {
    fault: 'a paragraph that does not end',
    batch: body('<p>Text.'),
    at: '5:20',
    says: 'a </p> is missing at the end of this paragraph',
  },
  {
    fault: 'a paragraph that does not end before the next',
    batch: body('<p>One.<p>Two.</p>'),
    at: '5:28',
    says: 'a </p> is missing before this <p>',
  },
  {
    fault: 'an end tag without a paragraph',
    batch: body('<p>One.</p></p>'),
    at: '5:32',
    says: 'this </p> has no <p>; remove it',
  },
  {
    fault: 'a paragraph without its start',
    batch: body('Text.</p><p>Two.</p>'),
    at: '5:21',
    says: 'a <p> is missing before this text',
  },
  {
    fault: 'a control character as an escape',
    batch: body('<p>One\\u0007two.</p>'),
    at: '5:27',
    says: 'the control character U+0007 is not allowed; remove it',
  },
  {
    fault: 'a Windows line break in a paragraph',
    batch: body('<p>One\\r\\ntwo.</p>'),
    at: '5:27',
    says: 'the control character U+000D is not allowed; remove it',
  },
  {
    fault: 'a paragraph in a paragraph',
    batch: body('<p><p>Text.</p></p>'),
    at: '5:24',
    says: 'this <p> is inside another; remove it and its </p>',
  },
  {
    fault: 'a list instead of a body',
    batch: [['"<p>Text.</p>"', '["<p>Text.</p>"]']],
    at: '5:20',
    says: 'must be a string, but is an array; remove the [ and ] around the text',
  },
  {
    fault: 'a list of bodies instead of a body',
    batch: [['"<p>Text.</p>"', '["<p>One.</p>", "<p>Two.</p>"]']],
    at: '5:20',
    says: `must be a string, but is an array${UNCHECKED}`,
  },
  {
    fault: 'CDATA around a body',
    batch: body('<![CDATA[<p>Text.</p>]]>'),
    at: '5:20',
    says: 'CDATA is not HTML; remove <![CDATA[ and the ]]> after it',
  },
  {
    fault: 'a body with escaped tags',
    batch: body('&lt;p&gt;Text.&lt;/p&gt;'),
    at: '5:20',
    says: 'the tags of this body are escaped; write <p> instead of &lt;p&gt;, and </p> instead of &lt;/p&gt; (the text was not checked)',
  },
  {
    fault: 'the same mistake many times in a body',
    batch: body(`<p>${'a & b '.repeat(30)}</p>`),
    at: '5:26',
    says: 'write & as &amp; (and 29 more in this text)',
  },

  // Forms ----------------------------------------------------------------------------------------
  {
    fault: 'a form without fields',
    batch: [[FORM, '{ "fields": [] }']],
    at: '6:25',
    says: 'must have at least 1 item, but has 0; a page without a form has "form": null',
  },
  {
    fault: 'false instead of null, without a form',
    batch: [[FORM, 'false']],
    at: '6:13',
    says: 'must be null or an object, but is false',
  },
  {
    fault: 'null in quotes',
    batch: [[FORM, '"null"']],
    at: '6:13',
    says: 'must be null or an object, but is "null"; write null without quotes',
  },
  {
    fault: 'true in quotes',
    batch: [['true', '"true"']],
    at: '13:23',
    says: 'must be true or false, but is "true"; write true without quotes',
  },
  {
    fault: 'an unknown field type',
    batch: [['"type": "email"', '"type": "e-mail"']],
    at: '11:19',
    says: 'must be one of "text", "email", "textarea", but is "e-mail"',
  },
  {
    fault: 'a field without a label',
    batch: [['          "label": "Email Address",\n', '']],
    at: '8:9',
    says: 'must have the key "label"',
  },
  {
    fault: 'a field name with a capital letter',
    batch: [['"name": "email"', '"name": "Your Email"']],
    at: '9:19',
    says: 'must be a lower-case name such as "email": a letter, then letters, digits or hyphens, but is "Your Email"; did you mean "your-email"?',
  },
  {
    fault: 'a blank label',
    batch: [['Email Address', ' ']],
    at: '10:20',
    says: 'must be one line of text that is not blank, without control characters, but is " "',
  },
  {
    fault: 'a label of two lines',
    batch: [['Email Address', 'Email\\nAddress']],
    at: '10:26',
    says: 'must be one line; replace this line break with a space',
  },
  {
    fault: 'a control character in a placeholder',
    batch: [['you@example.com', 'you\\u001b@example.com']],
    at: '12:30',
    says: 'the control character U+001B is not allowed; remove it',
  },
  {
    fault: 'a field without the list of fields around it',
    batch: [[FORM, FIELD]],
    at: '6:13',
    says: 'must be an object with a list of fields; put { "fields": [ before this field and ] } after it',
  },
  {
    fault: 'a list of fields without the object around it',
    batch: [[FORM, `[${FIELD}]`]],
    at: '6:13',
    says: 'must be null or an object, but is an array; put { "fields": before it and } after it',
  },
  {
    fault: 'a form inside a string',
    batch: [[FORM, JSON.stringify(JSON.stringify(JSON.parse(FORM)))]],
    at: '6:13',
    says: `must be null or an object; ${IN_STRING}${UNCHECKED}`,
  },
  {
    fault: 'a Cyrillic letter in a field type',
    batch: [['"type": "email"', '"type": "emаil"']],
    at: '11:19',
    says: 'must be one of "text", "email", "textarea", but is "emаil" (а is a Cyrillic letter; write a)',
  },
  {
    fault: 'a Cyrillic letter in a field name',
    batch: [['"name": "email"', '"name": "emаil"']],
    at: '9:22',
    says: 'а is a Cyrillic letter; write a',
  },

  // Times ----------------------------------------------------------------------------------------
  {
    fault: 'a space instead of the T',
    batch: created('2025-08-28 10:15:00Z'),
    at: '17:18',
    says: `${GENERAL_TIME}, but is "2025-08-28 10:15:00Z"; did you mean "2025-08-28T10:15:00Z"?`,
  },
  {
    fault: 'a time zone without a colon',
    batch: created('2025-08-28T10:15:00+0200'),
    at: '17:18',
    says: `${GENERAL_TIME}, but is "2025-08-28T10:15:00+0200"; did you mean "2025-08-28T10:15:00+02:00"?`,
  },
  {
    fault: 'a decimal comma',
    batch: created('2025-08-28T10:15:00,5Z'),
    at: '17:18',
    says: `${GENERAL_TIME}, but is "2025-08-28T10:15:00,5Z"; did you mean "2025-08-28T10:15:00.5Z"?`,
  },
  {
    fault: 'the letter O in a date',
    batch: created('2025-O8-28T10:15:00Z'),
    at: '17:24',
    says: 'O is a letter; write the digit 0',
  },
  {
    fault: 'a dash of the wrong kind in a date',
    batch: created('2025–08–28T10:15:00Z'),
    at: '17:23',
    says: '– is U+2013; write - (and 1 more in this text)',
  },
]

/** Batches that look odd but are valid. */
export const NO_FAULTS: Pick<Fault, 'fault' | 'batch'>[] = [
  { fault: 'the page as it is', batch: [] },
  { fault: 'an empty batch', batch: '[]' },
  {
    fault: 'the last character of Unicode and those beside the surrogates',
    batch: body('<p>&#1114111;&#x10FFFF;&#55295;&#57344;&#xD7FF;&#xe000;&#039;&#1;</p>'),
  },
  { fault: 'words in any script', batch: body('<p>Größe 語 עברית 👩‍👩‍👧 a\u00a0b</p>') },
]
