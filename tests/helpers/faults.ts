/**
 * Mistakes that authors make, each with the place and the message that report it: one problem per
 * mistake. To add one, write down what the author did, where it must be reported and what would
 * have helped. Then run `npx vitest run -c tests/vitest.config.ts tests/batch/faults.test.ts`.
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
  /** Line and column, from 1. */
  at: string
  says: string
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

const UNCHECKED = ' (what is in it was not checked)'

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
    says: 'the file begins with a byte-order mark; save it as UTF-8 without BOM (nothing else in the file was checked)',
  },
  {
    fault: 'a file that was cut off in the middle of a text',
    batch: GOOD.slice(0, GOOD.indexOf(' Page')),
    at: '4:14',
    says: 'the file ends inside this string; if it was cut off, deliver it again',
  },
  {
    fault: 'a file without its last bracket',
    batch: GOOD.slice(0, -3),
    at: '19:4',
    says: 'the file ends here, where a "," or the ] must come (the array opens at line 1); if it was cut off, deliver it again',
  },
  {
    fault: 'one bracket too many',
    batch: `${GOOD}]\n`,
    at: '21:1',
    says: 'the JSON ends before this bracket; remove it',
  },
  {
    fault: 'two lists, one after the other',
    batch: `${GOOD}${GOOD}`,
    at: '21:1',
    says: 'the JSON ends before this; all pages must be in one list, with one [ before the first, one ] after the last and a comma between two (move other text to another file)',
  },
  {
    fault: 'one page per line, without a list (NDJSON)',
    batch: `${LINE}\n${LINE}\n`,
    at: '2:1',
    says: 'the JSON ends before this; all pages must be in one list, with one [ before the first, one ] after the last and a comma between two (move other text to another file)',
  },
  {
    fault: 'one page without a list',
    batch: around('  {', '  }'),
    at: '1:3',
    says: 'must be an array, but is an object; put [ before it and ] after it',
  },
  {
    fault: 'the list under a key',
    batch: around('{ "pages": [\n  {', '  }\n] }'),
    at: '1:1',
    says: 'must be an array, but is an object; remove the object and its key "pages" around it',
  },
  {
    fault: 'a list in a list',
    batch: around('[[\n  {', '  }\n]]'),
    at: '1:2',
    says: 'must be an object, but is an array; remove the [ and ] around it',
  },
  {
    fault: 'an unresolved merge conflict',
    batch: `${START}\n<<<<<<< HEAD\n    "title": "Blog Page 029",\n=======\n    "title": "B",\n>>>>>>> other\n${END}`,
    at: '4:1',
    says: 'unexpected "<" (a merge conflict is left here: keep the lines of one side (what only the other says is lost), and remove the lines of marks)',
  },
  {
    fault: 'rows of a table with quotes and semicolons',
    batch: '"path";"title";"form"\n"/blog/029";"Blog Page 029";\n',
    at: '1:1',
    says: 'this is no JSON: a file of pages begins with the [ of its list and ends with the ] of it, with keys and texts in double quotes; move what else is there, such as the marks of a diff, to another file',
  },
  {
    fault: 'a pointer of Git LFS',
    batch: 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n',
    at: '1:1',
    says: 'the file is only a pointer of Git LFS; run git lfs pull (nothing else in the file was checked)',
  },
  {
    fault: 'a compressed file',
    batch: gzipSync(GOOD),
    at: '1:1',
    says: 'the file is compressed; unpack it (nothing else in the file was checked)',
  },
  {
    fault: 'a code fence around the list',
    batch: `\`\`\`json\n${GOOD}\`\`\`\n`,
    at: '1:1',
    says: 'this is no JSON: a file of pages begins with the [ of its list and ends with the ] of it, with keys and texts in double quotes; move what else is there, such as the marks of a diff, to another file',
  },
  {
    fault: 'the list inside a string',
    batch: JSON.stringify(GOOD),
    at: '1:1',
    says: 'must be an array, but is "[\\n  {\\n    \\"path\\": \\"/blog/029\\",\\n    \\"title\\": \\"Blog Page 029\\"…"; it is JSON within a text: deliver the JSON itself in its place, as a parser reads it from this text (what is in it was not checked)',
  },
  {
    fault: 'the list under a key, beside others',
    batch: around('{ "data": [\n  {', '  }\n], "meta": {} }'),
    at: '1:1',
    says: 'must be an array, but is an object; keep only the list of the key "data", and move what else is there to another file',
  },
  {
    fault: 'pages by their paths',
    batch: around('{ "/blog/029": {', '  } }'),
    at: '1:1',
    says: 'must be an array, but is an object; write [ ] instead of its { }, and remove the key before each item',
  },
  {
    fault: 'a page under a key',
    batch: [[PAGE, `{ "page": ${PAGE} }`]],
    at: '2:5',
    says: 'unknown key "page"; move what is in it up, in place of the key and its { }',
  },

  {
    fault: 'a diff',
    batch: GOOD.replace(/^/gm, '+').replace('+', '@@ -0,0 +1,20 @@\n+'),
    at: '1:1',
    says: 'this is no JSON: a file of pages begins with the [ of its list and ends with the ] of it, with keys and texts in double quotes; move what else is there, such as the marks of a diff, to another file',
  },
  {
    fault: 'two lists under keys',
    batch: `{"pages": [${LINE}], "posts": [${LINE}]}`,
    at: '1:1',
    says: 'must be an array, but is an object; join the lists of the keys "pages" and "posts", and move what else is there to another file',
  },
  {
    fault: 'another name for the body',
    batch: [['contentHtml', 'text']],
    at: '5:5',
    says: 'unknown key "text", and "contentHtml" is missing; is it that?',
  },
  {
    fault: 'the header of a table as a record',
    batch: TWO.replace(PAGE, '{"path": "path", "createdAt": "createdAt"}'),
    at: '2:3',
    says: 'this is hardly a page; fill it in, or remove it if it is empty, a note, or the header or total of a table (what it says is lost; it was not checked)',
  },
  {
    fault: 'one field without the list around it',
    batch: [
      ['"fields": [', '"fields": '],
      ['      ]\n', ''],
    ],
    at: '8:9',
    says: 'must be an array, but is an object; put [ before it and ] after it',
  },

  // JSON -----------------------------------------------------------------------------------------
  {
    fault: 'a missing comma between two keys',
    batch: [['"/blog/029",', '"/blog/029"']],
    at: '3:24',
    says: 'a comma must come here, between this value and the next, as between any two',
  },
  {
    fault: 'a missing comma after a form',
    batch: [['    },\n', '    }\n']],
    at: '16:6',
    says: 'a comma must come here, between this value and the next, as between any two',
  },
  {
    fault: 'a missing comma between two pages',
    of: TWO,
    batch: [[BETWEEN, '  }\n  {']],
    at: '19:4',
    says: 'a comma must come here, between this value and the next, as between any two',
  },
  {
    fault: 'a comma after the last key',
    batch: [['"2025-08-28T10:17:30.000Z"', '"2025-08-28T10:17:30.000Z",']],
    at: '18:44',
    says: 'no comma may follow the last item or member',
  },
  {
    fault: 'a comma after the last page',
    batch: [['  }\n]', '  },\n]']],
    at: '19:4',
    says: 'no comma may follow the last item or member',
  },
  {
    fault: 'two commas',
    batch: [['"/blog/029",', '"/blog/029",,']],
    at: '3:25',
    says: 'unexpected ","; a key in double quotes must come here (the object opens at line 2)',
  },
  {
    fault: 'a semicolon instead of a comma',
    batch: [['"/blog/029",', '"/blog/029";']],
    at: '3:24',
    says: 'unexpected ";"; a "," or the } must come here (the object opens at line 2)',
  },
  {
    fault: 'a semicolon after true',
    batch: [['true', 'true;']],
    at: '13:27',
    says: 'unexpected ";"; a "," or the } must come here (the object opens at line 8)',
  },
  {
    fault: 'two texts joined by a plus',
    batch: [['"/blog/029"', '"/blog/" + "029"']],
    at: '3:22',
    says: 'unexpected "+" (JSON cannot join texts: write them as one)',
  },
  {
    fault: 'a missing colon',
    batch: [['"path": ', '"path" ']],
    at: '3:12',
    says: 'unexpected \'"\'; the ":" after the key must come here (the object opens at line 2)',
  },
  {
    fault: 'a missing value',
    batch: [['"path": "/blog/029"', '"path": ']],
    at: '3:13',
    says: 'unexpected ","; a value must come here (the object opens at line 2)',
  },
  {
    fault: 'the wrong bracket at the end of a list',
    batch: [['      ]\n', '      }\n']],
    at: '15:7',
    says: 'unexpected "}"; a "," or the ] must come here (the array opens at line 7)',
  },
  {
    fault: 'single quotes',
    batch: [['"/blog/029"', "'/blog/029'"]],
    at: '3:13',
    says: 'unexpected "\'" (JSON has double quotes only)',
  },
  {
    fault: 'curly quotes around a text',
    batch: [['"/blog/029"', '“/blog/029”']],
    at: '3:13',
    says: 'unexpected "“" (“ is U+201C; write ")',
  },
  {
    fault: 'a curly quote at the end of a text only',
    batch: [['"/blog/029"', '"/blog/029”']],
    at: '3:13',
    says: 'this string does not end on its line; its last " is missing, or is another quote (a line break in it is written "\\n")',
  },
  {
    fault: 'a key without quotes',
    batch: [['"title"', 'title']],
    at: '4:5',
    says: 'title is not a JSON value; write keys, texts and dates in double quotes, numbers as 29 or 0.5, yes and no as true and false, and nothing as null',
  },
  {
    fault: 'a text without quotes',
    batch: [['"/blog/029"', 'blog']],
    at: '3:13',
    says: 'blog is not a JSON value; write keys, texts and dates in double quotes, numbers as 29 or 0.5, yes and no as true and false, and nothing as null',
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
    fault: 'double quotes of an empty attribute within a text',
    batch: body('<p><img alt="">a</p>'),
    at: '5:33',
    says: 'this quote ends the string; a double quote within a text is written \\"',
  },
  {
    fault: 'a line break within a text',
    batch: body('<p>One\ntwo.</p>'),
    at: '5:20',
    says: 'this string does not end on its line; its last " is missing, or is another quote (a line break in it is written "\\n")',
  },
  {
    fault: 'a tab within a text',
    batch: body('<p>One\ttwo.</p>'),
    at: '5:27',
    says: 'this control character must be written "\\t" in a text',
  },
  {
    fault: 'the backslashes of a Windows path',
    batch: body('<p>C:\\data</p>'),
    at: '5:26',
    says: 'JSON has no such escape; write a backslash that is meant as \\\\, and remove any other',
  },
  {
    fault: 'a comment',
    batch: [['    "title"', '    // the title\n    "title"']],
    at: '4:5',
    says: 'unexpected "/" (JSON has no comments: move this one, with all that is in it, to another file)',
  },
  {
    fault: 'a no-break space before a key',
    batch: [['    "title"', '   \u00a0"title"']],
    at: '4:4',
    says: 'unexpected "\\u00a0" (this character is invisible: remove it)',
  },
  {
    fault: 'a byte-order mark inside, from two concatenated files',
    batch: [['[\n  {', '[\n  \ufeff{']],
    at: '2:3',
    says: 'unexpected "\\ufeff" (this character is invisible: remove it)',
  },
  {
    fault: 'a zero-width space after a value',
    batch: [['"/blog/029",', '"/blog/029"\u200b,']],
    at: '3:24',
    says: 'unexpected "\\u200b" (this character is invisible: remove it)',
  },
  {
    fault: 'True as in Python',
    batch: [['true', 'True']],
    at: '13:23',
    says: 'True is not a JSON value; write keys, texts and dates in double quotes, numbers as 29 or 0.5, yes and no as true and false, and nothing as null',
  },
  {
    fault: 'a date-time without quotes',
    batch: [['"2025-08-28T10:15:00.000Z"', '2025-08-28T10:15:00.000Z']],
    at: '17:18',
    says: '2025-08-28T10 is not a JSON value; write keys, texts and dates in double quotes, numbers as 29 or 0.5, yes and no as true and false, and nothing as null',
  },
  {
    fault: 'a repeated key',
    batch: [['    "form"', '    "form": null,\n    "form"']],
    at: '7:5',
    says: 'must not repeat a key; if another object begins here, write }, { before it; else join the two values in one, or remove the one that is not meant (it is lost; the first was not checked)',
  },
  {
    fault: 'half of an emoji as an escape',
    batch: body('<p>\\ud83d</p>'),
    at: '5:24',
    says: 'must be well-formed Unicode, but has half of a character (a lone surrogate); write the whole one',
  },
  {
    fault: 'a lost }, between two pages',
    of: TWO,
    batch: [[BETWEEN, '  {']],
    at: '19:3',
    says: 'unexpected "{"; a "," or the } must come here (the object opens at line 2)',
  },
  {
    fault: 'a lost }, { between two pages',
    of: TWO,
    batch: [[`${BETWEEN}\n`, '']],
    at: '18:44',
    says: 'a comma must come here, between this value and the next, as between any two',
  },
  {
    fault: 'a missing { before the first page',
    batch: [['[\n  {', '[\n']],
    at: '3:11',
    says: 'the key before this is in no object; a { is missing before it, or a } before it is one too many',
  },
  {
    fault: 'one } too many in a page',
    batch: [['    },\n', '    }},\n']],
    at: '17:16',
    says: 'the key before this is in no object; a { is missing before it, or a } before it is one too many',
  },
  {
    fault: 'one } too many after a page',
    of: TWO,
    batch: [[BETWEEN, '  }},\n  {']],
    at: '19:4',
    says: 'unexpected "}"; a "," or the ] must come here (the array opens at line 1)',
  },
  {
    fault: 'a dot instead of a comma',
    batch: [['"/blog/029",', '"/blog/029".']],
    at: '3:24',
    says: 'unexpected "."; a "," or the } must come here (the object opens at line 2)',
  },
  {
    fault: 'a key without its second quote',
    batch: [['"title": ', '"title: ']],
    at: '4:13',
    says: 'this quote ends the key; a " is missing between the key and its colon',
  },
  {
    fault: 'a quote within a text, before a comma',
    batch: body('<p>Say yes", then go.</p>'),
    at: '5:31',
    says: 'this quote ends the string; a double quote within a text is written \\"',
  },
  {
    fault: 'words after the list',
    batch: `${GOOD}that is all\n`,
    at: '21:1',
    says: 'the JSON ends before this; all pages must be in one list, with one [ before the first, one ] after the last and a comma between two (move other text to another file)',
  },
  {
    fault: 'an equals sign instead of a colon',
    batch: [['"path":', '"path" =']],
    at: '3:12',
    says: 'unexpected "="; the ":" after the key must come here (the object opens at line 2)',
  },
  {
    fault: 'a backslash before a quote',
    batch: [['"path"', '\\"path"']],
    at: '3:5',
    says: 'unexpected "\\\\" (the quotes around keys and texts have no backslash: remove those)',
  },
  {
    fault: 'a full-width colon',
    batch: [['"title":', '"title"：']],
    at: '4:12',
    says: 'unexpected "：" (： is U+FF1A; write :)',
  },
  {
    fault: 'an escaped apostrophe',
    batch: body("<p>It\\'s</p>"),
    at: '5:26',
    says: 'JSON has no such escape; write a backslash that is meant as \\\\, and remove any other',
  },

  // Records and their keys ------------------------------------------------------------------------
  {
    fault: 'an empty record',
    batch: [[PAGE, '{}']],
    at: '2:3',
    says: 'this is hardly a page; fill it in, or remove it if it is empty, a note, or the header or total of a table (what it says is lost; it was not checked)',
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
    says: 'unknown key "mood"; move what it says to another key (it was not checked), or remove it, its value and one comma beside it (the value is lost); known here: "path", "title", "contentHtml", "form", "createdAt", "updatedAt"',
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
    fault: 'a Cyrillic letter in a path',
    batch: path('/blоg/029'),
    at: '3:13',
    says: 'must be "/{category}/{nnn}" from 001 to 100, such as "/blog/029", but is "/blоg/029"; did you mean "/blog/029"? (о is a Cyrillic letter; write o)',
  },
  {
    fault: 'a Cyrillic letter in a title',
    batch: title('Blоg Page 029'),
    at: '4:14',
    says: 'must be "Section Page NNN", such as "Blog Page 029" (put words of your own into the body), but is "Blоg Page 029"; did you mean "Blog Page 029"? (о is a Cyrillic letter; write o)',
  },

  // Bodies ---------------------------------------------------------------------------------------
  {
    fault: 'a list instead of a body',
    batch: [['"<p>Text.</p>"', '["<p>Text.</p>"]']],
    at: '5:20',
    says: 'must be a string, but is an array; remove the [ and ] around it',
  },
  {
    fault: 'a list of bodies instead of a body',
    batch: [['"<p>Text.</p>"', '["<p>One.</p>", "<p>Two.</p>"]']],
    at: '5:20',
    says: `must be a string, but is an array; join its items into one, or keep one (the others are lost)${UNCHECKED}`,
  },

  // Forms ----------------------------------------------------------------------------------------
  {
    fault: 'a form as HTML',
    batch: [[FORM, '"<form>Name</form>"']],
    at: '6:13',
    says: 'must be null or an object, but is "<form>Name</form>"; write null only if there is none (this value is lost then)',
  },
  {
    fault: 'null in quotes',
    batch: [[FORM, '"null"']],
    at: '6:13',
    says: 'must be null or an object, but is "null"; remove the quotes around it',
  },
  {
    fault: 'true in quotes',
    batch: [['true', '"true"']],
    at: '13:23',
    says: 'must be true or false, but is "true"; remove the quotes around it',
  },
  {
    fault: 'a field type that the schema does not have',
    batch: [['"type": "email"', '"type": "select"']],
    at: '11:19',
    says: 'must be one of "text", "email", "textarea", but is "select"',
  },
  {
    fault: 'a field without a label',
    batch: [['          "label": "Email Address",\n', '']],
    at: '8:9',
    says: 'must have the key "label"',
  },
  {
    fault: 'a blank label',
    batch: [['Email Address', ' ']],
    at: '10:20',
    says: 'must be one line of text that is not blank, without control characters, but is " "',
  },
  {
    fault: 'a field without the list of fields around it',
    batch: [[FORM, FIELD]],
    at: '6:13',
    says: 'must have the key "fields"; put { "fields": [ before it and ] } after it',
  },
  {
    fault: 'a list of fields without the object around it',
    batch: [[FORM, `[${FIELD}]`]],
    at: '6:13',
    says: 'must be null or an object, but is an array; put { "fields": before it and } after it',
  },
  {
    fault: 'the fields of a form beside it',
    batch: [[FORM, `null,\n    "fields": [${FIELD}]`]],
    at: '7:5',
    says: 'unknown key "fields"; move it and its value into { } as the value of "form"',
  },
  {
    fault: 'two forms in a list',
    batch: [[FORM, `[${FORM}, ${FORM}]`]],
    at: '6:13',
    says: `must be null or an object, but is an array; join its items into one, or keep one (the others are lost)${UNCHECKED}`,
  },
  {
    fault: 'a form inside a string',
    batch: [[FORM, JSON.stringify(JSON.stringify(JSON.parse(FORM)))]],
    at: '6:13',
    says: 'must be null or an object, but is "{\\"fields\\":[{\\"name\\":\\"email\\",\\"label\\":\\"Email Address\\",\\"type\\":\\"…"; it is JSON within a text: deliver the JSON itself in its place, as a parser reads it from this text (what is in it was not checked)',
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
    at: '9:19',
    says: 'must be a lower-case name such as "email": a letter, then letters, digits or hyphens, but is "emаil"; did you mean "email"? (а is a Cyrillic letter; write a)',
  },

  // Times ----------------------------------------------------------------------------------------
  {
    fault: 'a dash of the wrong kind in a date',
    batch: created('2025–08–28T10:15:00Z'),
    at: '17:18',
    says: 'must be an RFC 3339 date-time that exists, such as "2025-08-28T10:15:00.000Z", but is "2025–08–28T10:15:00Z"; did you mean "2025-08-28T10:15:00Z"? (– is U+2013; write -)',
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
