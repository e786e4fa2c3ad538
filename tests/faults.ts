/**
 * Mistakes that authors make, each with the place and the message that report it: one problem per
 * mistake. To add one, write down what the author did, where it must be reported and what would
 * have helped. Then run `npx vitest run -c tests/vitest.config.ts tests/faults.test.ts`.
 */

import { gzipSync } from 'node:zlib'
import schema from '../schema/batch.schema.json'

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

export interface Fault {
  /** What the author did. */
  fault: string
  /** The whole file, or the replacements in GOOD. */
  batch: string | Uint8Array | [from: string, to: string][]
  /** Line and column, from 1. */
  at: string
  says: string
}

const PAGE = GOOD.slice(GOOD.indexOf('{'), GOOD.lastIndexOf('}') + 1)
/** The page on one line. */
const LINE = JSON.stringify(JSON.parse(PAGE))
/** The form of the page, and its field, as they are written there. */
const FORM = PAGE.slice(PAGE.indexOf('{', 1), PAGE.indexOf('    },') + 5)
const FIELD = FORM.slice(FORM.indexOf('{', 1), FORM.indexOf('}') + 1)
/** A batch of two pages. */
const TWO = GOOD.replace(PAGE, `${PAGE},\n  ${PAGE.replaceAll('029', '030')}`)
const [START, END] = ['[\n  {\n    "path": "/blog/029",', '  }\n]\n']
const FILLER = 'Words and more words. '.repeat(25)

type Changes = [from: string, to: string][]
const path = (value: string): Changes => [['"/blog/029"', `"${value}"`]]
const title = (value: string): Changes => [['Blog Page 029', value]]
const body = (value: string): Changes => [['<p>Text.</p>', value]]
const created = (value: string): Changes => [['2025-08-28T10:15:00.000Z', value]]

const JSON_IS =
  'but a batch is JSON: a list in [ ] of pages in { }, keys and texts in double quotes'
const IN_STRING =
  'it is JSON inside a string: remove the quotes around it and the backslashes in it'
const NOT_UPDATED = ' (updatedAt was not compared with it)'
const BODY = 'a body is made of <p> elements and text'
const DID = 'did you mean "/blog/029"?'
const START_OF_PATH = 'must begin with a slash and the category'
const KNOWN_PAGE = `known here: ${Object.keys(schema.$defs.page.properties)
  .map((key) => `"${key}"`)
  .join(', ')}`
const GENERAL_TIME = 'must be an RFC 3339 date-time such as "2025-08-28T10:15:00.000Z"'

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
    batch: PAGE,
    at: '1:1',
    says: 'must be a list of pages; put [ before the page and ] after it',
  },
  {
    fault: 'the list under a key',
    batch: `{ "pages": ${GOOD} }`,
    at: '1:1',
    says: 'must be the list itself; remove the object and its key "pages" around it',
  },
  {
    fault: 'a list in a list',
    batch: `[${GOOD}]`,
    at: '1:2',
    says: 'must be a page, but is a list; remove this [ and the ] that closes it',
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
    batch: `${START}\n    says: `there is no second 60${NOT_UPDATED}`,
  },
  {
    fault: 'a zone that does not exist',
    batch: created('2025-08-28T10:15:00+24:00'),
    at: '17:38',
    says: `there is no time zone +24:00${NOT_UPDATED}`,
  },
  {
    fault: 'a date without a time',
    batch: created('2025-08-28'),
    at: '17:18',
    says: `${GENERAL_TIME}, but is "2025-08-28"${NOT_UPDATED}`,
  },
  {
    fault: 'a space instead of the T',
    batch: created('2025-08-28 10:15:00Z'),
    at: '17:18',
    says: `${GENERAL_TIME}, but is "2025-08-28 10:15:00Z"; did you mean "2025-08-28T10:15:00Z"?`,
  },
  {
    fault: 'no time zone',
    batch: created('2025-08-28T10:15:00'),
    at: '17:38',
    says: `must end in a time zone, such as Z or +02:00${NOT_UPDATED}`,
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
    fault: 'a time in words',
    batch: created('yesterday'),
    at: '17:18',
    says: `${GENERAL_TIME}, but is "yesterday"${NOT_UPDATED}`,
  },
  {
    fault: 'an update before the page was created',
    batch: created('2025-08-28T11:15:00Z'),
    at: '18:18',
    says: 'must not be before createdAt ("2025-08-28T11:15:00Z"), but is "2025-08-28T10:17:30.000Z"',
  },
  {
    fault: 'an update before the page was created, in another time zone',
    batch: created('2025-08-28T10:16:00.000-01:00'),
    at: '18:18',
    says: 'must not be before createdAt, but is 2025-08-28T10:17:30.000Z, and createdAt is 2025-08-28T11:16:00.000Z (both in UTC)',
  },
  {
    fault: 'an update on the next day',
    batch: [['2025-08-28T10:17:30.000Z', '2025-08-29T10:17:30.000Z']],
    at: '18:18',
    says: 'must be on the UTC day of createdAt (2025-08-28), but is "2025-08-29T10:17:30.000Z"',
  },
  {
    fault: 'an update on the next day, hidden by another time zone',
    batch: [['2025-08-28T10:17:30.000Z', '2025-08-28T22:17:30.000-04:00']],
    at: '18:18',
    says: 'must be on the UTC day of createdAt, but is 2025-08-29T02:17:30.000Z, and createdAt is 2025-08-28T10:15:00.000Z (both in UTC)',
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
