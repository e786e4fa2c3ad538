/**
 * Mistakes that authors make, each with the place at which it is reported. To add one, write down
 * what the author did and where it must be reported. Then run `npx vitest run -c tests/vitest.config.ts tests/batch/faults.test.ts`.
 */

import { gzipSync } from 'node:zlib'

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
  /** Line and column of each problem, from 1. */
  at: string
}

/** @public */
export const PAGE = GOOD.slice(GOOD.indexOf('{'), GOOD.lastIndexOf('}') + 1)
/** The page on one line. */
const LINE = JSON.stringify(JSON.parse(PAGE))
/** The form of the page, and its field, as they are written there. */
/** @public */
export const FORM = PAGE.slice(PAGE.indexOf('{', 1), PAGE.indexOf('    },') + 5)
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

const path = (value: string): Changes => [['/blog/029', value]]
const title = (value: string): Changes => [['Blog Page 029', value]]
const body = (value: string): Changes => [['<p>Text.</p>', value]]
const created = (value: string): Changes => [['2025-08-28T10:15:00.000Z', value]]

export const FAULTS: Fault[] = [
  // The file -------------------------------------------------------------------------------------
  {
    fault: 'an empty file',
    batch: '',
    at: '1:1',
  },
  {
    fault: 'a byte-order mark at the start',
    batch: `\ufeff${GOOD}`,
    at: '1:1',
  },
  {
    fault: 'a file that was cut off in the middle of a text',
    batch: GOOD.slice(0, GOOD.indexOf(' Page')),
    at: '4:14',
  },
  {
    fault: 'a file without its last bracket',
    batch: GOOD.slice(0, -3),
    at: '19:4',
  },
  {
    fault: 'one bracket too many',
    batch: `${GOOD}]\n`,
    at: '21:1',
  },
  {
    fault: 'two lists, one after the other',
    batch: `${GOOD}${GOOD}`,
    at: '21:1',
  },
  {
    fault: 'one page per line, without a list (NDJSON)',
    batch: `${LINE}\n${LINE}\n`,
    at: '2:1',
  },
  {
    fault: 'one page without a list',
    batch: around('  {', '  }'),
    at: '1:3',
  },
  {
    fault: 'the list under a key',
    batch: around('{ "pages": [\n  {', '  }\n] }'),
    at: '1:1',
  },
  {
    fault: 'a list in a list',
    batch: around('[[\n  {', '  }\n]]'),
    at: '1:2',
  },
  {
    fault: 'an unresolved merge conflict',
    batch: `${START}\n<<<<<<< HEAD\n    "title": "Blog Page 029",\n=======\n    "title": "B",\n>>>>>>> other\n${END}`,
    at: '4:1',
  },
  {
    fault: 'rows of a table with quotes and semicolons',
    batch: '"path";"title";"form"\n"/blog/029";"Blog Page 029";\n',
    at: '1:7',
  },
  {
    fault: 'a pointer of Git LFS',
    batch: 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n',
    at: '1:1',
  },
  {
    fault: 'a compressed file',
    batch: gzipSync(GOOD),
    at: '1:1',
  },
  {
    fault: 'a code fence around the list',
    batch: `\`\`\`json\n${GOOD}\`\`\`\n`,
    at: '1:1',
  },
  {
    fault: 'the list inside a string',
    batch: JSON.stringify(GOOD),
    at: '1:1',
  },
  {
    fault: 'the list under a key, beside others',
    batch: around('{ "data": [\n  {', '  }\n], "meta": {} }'),
    at: '1:1',
  },
  {
    fault: 'pages by their paths',
    batch: around('{ "/blog/029": {', '  } }'),
    at: '1:1',
  },
  {
    fault: 'a page under a key',
    batch: [[PAGE, `{ "page": ${PAGE} }`]],
    at: '2:3 2:5',
  },

  {
    fault: 'a diff',
    batch: GOOD.replace(/^/gm, '+').replace('+', '@@ -0,0 +1,20 @@\n+'),
    at: '1:1',
  },
  {
    fault: 'two lists under keys',
    batch: `{"pages": [${LINE}], "posts": [${LINE}]}`,
    at: '1:1',
  },
  {
    fault: 'another name for the body',
    batch: [['contentHtml', 'text']],
    at: '5:5',
  },
  {
    fault: 'the header of a table as a record',
    batch: TWO.replace(PAGE, '{"path": "path", "createdAt": "createdAt"}'),
    at: '2:3 2:12 2:33',
  },
  {
    fault: 'one field without the list around it',
    batch: [
      ['"fields": [', '"fields": '],
      ['      ]\n', ''],
    ],
    at: '8:9',
  },

  // JSON -----------------------------------------------------------------------------------------
  {
    fault: 'a missing comma between two keys',
    batch: [['"/blog/029",', '"/blog/029"']],
    at: '3:24',
  },
  {
    fault: 'a missing comma after a form',
    batch: [['    },\n', '    }\n']],
    at: '16:6',
  },
  {
    fault: 'a missing comma between two pages',
    of: TWO,
    batch: [[BETWEEN, '  }\n  {']],
    at: '19:4',
  },
  {
    fault: 'a comma after the last key',
    batch: [['"2025-08-28T10:17:30.000Z"', '"2025-08-28T10:17:30.000Z",']],
    at: '18:44',
  },
  {
    fault: 'a comma after the last page',
    batch: [['  }\n]', '  },\n]']],
    at: '19:4',
  },
  {
    fault: 'two commas',
    batch: [['"/blog/029",', '"/blog/029",,']],
    at: '3:25',
  },
  {
    fault: 'a semicolon instead of a comma',
    batch: [['"/blog/029",', '"/blog/029";']],
    at: '3:24',
  },
  {
    fault: 'a semicolon after true',
    batch: [['true', 'true;']],
    at: '13:27',
  },
  {
    fault: 'two texts joined by a plus',
    batch: [['"/blog/029"', '"/blog/" + "029"']],
    at: '3:22',
  },
  {
    fault: 'a missing colon',
    batch: [['"path": ', '"path" ']],
    at: '3:12',
  },
  {
    fault: 'a missing value',
    batch: [['"path": "/blog/029"', '"path": ']],
    at: '3:13',
  },
  {
    fault: 'the wrong bracket at the end of a list',
    batch: [['      ]\n', '      }\n']],
    at: '15:7',
  },
  {
    fault: 'single quotes',
    batch: [['"/blog/029"', "'/blog/029'"]],
    at: '3:13',
  },
  {
    fault: 'curly quotes around a text',
    batch: [['"/blog/029"', '“/blog/029”']],
    at: '3:13',
  },
  {
    fault: 'a curly quote at the end of a text only',
    batch: [['"/blog/029"', '"/blog/029”']],
    at: '3:23',
  },
  {
    fault: 'a key without quotes',
    batch: [['"title"', 'title']],
    at: '4:5',
  },
  {
    fault: 'a text without quotes',
    batch: [['"/blog/029"', 'blog']],
    at: '3:13',
  },
  {
    fault: 'double quotes within a text',
    batch: body('<p>They said "yes" to it.</p>'),
    at: '5:34',
  },
  {
    fault: 'double quotes of an attribute within a text',
    batch: body('<p class="a">Text.</p>'),
    at: '5:30',
  },
  {
    fault: 'double quotes of a link within a text',
    batch: body('<p><a href="/guides/">a</a></p>'),
    at: '5:32',
  },
  {
    fault: 'double quotes of an empty attribute within a text',
    batch: body('<p><img alt="">a</p>'),
    at: '5:33',
  },
  {
    fault: 'a line break within a text',
    batch: body('<p>One\ntwo.</p>'),
    at: '5:27',
  },
  {
    fault: 'a tab within a text',
    batch: body('<p>One\ttwo.</p>'),
    at: '5:27',
  },
  {
    fault: 'the backslashes of a Windows path',
    batch: body('<p>C:\\data</p>'),
    at: '5:26',
  },
  {
    fault: 'a comment',
    batch: [['    "title"', '    // the title\n    "title"']],
    at: '4:5',
  },
  {
    fault: 'a no-break space before a key',
    batch: [['    "title"', '   \u00a0"title"']],
    at: '4:4',
  },
  {
    fault: 'a byte-order mark inside, from two concatenated files',
    batch: [['[\n  {', '[\n  \ufeff{']],
    at: '2:3',
  },
  {
    fault: 'a zero-width space after a value',
    batch: [['"/blog/029",', '"/blog/029"\u200b,']],
    at: '3:24',
  },
  {
    fault: 'True as in Python',
    batch: [['true', 'True']],
    at: '13:23',
  },
  {
    fault: 'a date-time without quotes',
    batch: [['"2025-08-28T10:15:00.000Z"', '2025-08-28T10:15:00.000Z']],
    at: '17:18',
  },
  {
    fault: 'a repeated key',
    batch: [['    "form"', '    "form": null,\n    "form"']],
    at: '7:5',
  },
  {
    fault: 'half of an emoji as an escape',
    batch: body('<p>\\ud83d</p>'),
    at: '5:24',
  },
  {
    fault: 'a lost }, between two pages',
    of: TWO,
    batch: [[BETWEEN, '  {']],
    at: '19:3',
  },
  {
    fault: 'a lost }, { between two pages',
    of: TWO,
    batch: [[`${BETWEEN}\n`, '']],
    at: '18:44',
  },
  {
    fault: 'a missing { before the first page',
    batch: [['[\n  {', '[\n']],
    at: '3:5',
  },
  {
    fault: 'one } too many in a page',
    batch: [['    },\n', '    }},\n']],
    at: '17:5',
  },
  {
    fault: 'one } too many after a page',
    of: TWO,
    batch: [[BETWEEN, '  }},\n  {']],
    at: '19:4',
  },
  {
    fault: 'a dot instead of a comma',
    batch: [['"/blog/029",', '"/blog/029".']],
    at: '3:24',
  },
  {
    fault: 'a key without its second quote',
    batch: [['"title": ', '"title: ']],
    at: '4:11',
  },
  {
    fault: 'a quote within a text, before a comma',
    batch: body('<p>Say yes", then go.</p>'),
    at: '5:34',
  },
  {
    fault: 'words after the list',
    batch: `${GOOD}that is all\n`,
    at: '21:1',
  },
  {
    fault: 'an equals sign instead of a colon',
    batch: [['"path":', '"path" =']],
    at: '3:12',
  },
  {
    fault: 'a backslash before a quote',
    batch: [['"path"', '\\"path"']],
    at: '3:5',
  },
  {
    fault: 'a full-width colon',
    batch: [['"title":', '"title"：']],
    at: '4:12',
  },
  {
    fault: 'an escaped apostrophe',
    batch: body("<p>It\\'s</p>"),
    at: '5:26',
  },

  // Records and their keys ------------------------------------------------------------------------
  {
    fault: 'an empty record',
    batch: [[PAGE, '{}']],
    at: '2:3',
  },
  {
    fault: 'two missing keys',
    batch: [
      ['    "path": "/blog/029",\n', ''],
      ['    "title": "Blog Page 029",\n', ''],
    ],
    at: '2:3',
  },
  {
    fault: 'a misspelled key',
    batch: [['"title"', '"titel"']],
    at: '4:5',
  },
  {
    fault: 'a key in another case',
    batch: [['contentHtml', 'contentHTML']],
    at: '5:5',
  },
  {
    fault: 'a zero-width space in a key',
    batch: [['"title"', '"ti\u200btle"']],
    at: '4:5',
  },
  {
    fault: 'an unknown key',
    batch: [['    "title"', '    "mood": "A",\n    "title"']],
    at: '4:5',
  },
  {
    fault: 'a record that is null',
    batch: [['  }\n]', '  },\n  null\n]']],
    at: '20:3',
  },
  {
    fault: 'a Cyrillic letter in a key',
    batch: [['"title"', '"tіtle"']],
    at: '4:5',
  },

  // Paths ----------------------------------------------------------------------------------------
  {
    fault: 'a Cyrillic letter in a path',
    batch: path('/blоg/029'),
    at: '3:13',
  },
  {
    fault: 'a Cyrillic letter in a title',
    batch: title('Blоg Page 029'),
    at: '4:14',
  },

  // Bodies ---------------------------------------------------------------------------------------
  {
    fault: 'a list instead of a body',
    batch: [['"<p>Text.</p>"', '["<p>Text.</p>"]']],
    at: '5:20',
  },
  {
    fault: 'a list of bodies instead of a body',
    batch: [['"<p>Text.</p>"', '["<p>One.</p>", "<p>Two.</p>"]']],
    at: '5:20',
  },

  // Forms ----------------------------------------------------------------------------------------
  {
    fault: 'a form as HTML',
    batch: [[FORM, '"<form>Name</form>"']],
    at: '6:13',
  },
  {
    fault: 'null in quotes',
    batch: [[FORM, '"null"']],
    at: '6:13',
  },
  {
    fault: 'true in quotes',
    batch: [['true', '"true"']],
    at: '13:23',
  },
  {
    fault: 'a field type that the schema does not have',
    batch: [['"type": "email"', '"type": "select"']],
    at: '11:19',
  },
  {
    fault: 'a field without a label',
    batch: [['          "label": "Email Address",\n', '']],
    at: '8:9',
  },
  {
    fault: 'a blank label',
    batch: [['Email Address', ' ']],
    at: '10:20',
  },
  {
    fault: 'a field without the list of fields around it',
    batch: [[FORM, FIELD]],
    at: '6:13 7:11 8:11 9:11 10:11 11:11',
  },
  {
    fault: 'a list of fields without the object around it',
    batch: [[FORM, `[${FIELD}]`]],
    at: '6:13',
  },
  {
    fault: 'the fields of a form beside it',
    batch: [[FORM, `null,\n    "fields": [${FIELD}]`]],
    at: '7:5',
  },
  {
    fault: 'two forms in a list',
    batch: [[FORM, `[${FORM}, ${FORM}]`]],
    at: '6:13',
  },
  {
    fault: 'a form inside a string',
    batch: [[FORM, JSON.stringify(JSON.stringify(JSON.parse(FORM)))]],
    at: '6:13',
  },
  {
    fault: 'a Cyrillic letter in a field type',
    batch: [['"type": "email"', '"type": "emаil"']],
    at: '11:19',
  },
  {
    fault: 'a Cyrillic letter in a field name',
    batch: [['"name": "email"', '"name": "emаil"']],
    at: '9:19',
  },

  // Times ----------------------------------------------------------------------------------------
  {
    fault: 'a dash of the wrong kind in a date',
    batch: created('2025–08–28T10:15:00Z'),
    at: '17:18',
  },
]

/** Batches that look odd but are valid. */
export const NO_FAULTS: Pick<Fault, 'fault' | 'batch'>[] = [
  { fault: 'the page as it is', batch: [] },
  {
    fault: 'the last character of Unicode and those beside the surrogates',
    batch: body('<p>&#1114111;&#x10FFFF;&#55295;&#57344;&#xD7FF;&#xe000;&#039;&#1;</p>'),
  },
  { fault: 'words in any script', batch: body('<p>Größe 語 עברית 👩‍👩‍👧 a\u00a0b</p>') },
]
