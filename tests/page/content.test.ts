import { expect, test } from 'vitest'
import { paragraphs, slug } from '../../src/page/content.ts'

test.each([
  ['Hello,  World!', 'hello-world'],
  ['https://example.com/A?b=1', 'https-example-com-a-b-1'],
  ['10.1000/xyz-123', '10-1000-xyz-123'],
  ['Kürbis', 'kürbis'],
  ['Ku\u0308rbis', 'kürbis'],
  ['ПРИВЕТ, мир', 'привет-мир'],
  ['हिन्दी', 'हिन्दी'],
  ['J\u030c', 'ǰ'],
  ['C', 'c'],
  ['C++', 'c-plus-plus'],
  ['C#', 'c-sharp'],
  ['Q&A', 'q-and-a'],
  ['+1', 'plus-1'],
  ['-1', '1'],
  ['😀', ''],
])('the part of a path of %s is %s', (text, part) => {
  expect(slug(text)).toBe(part)
})

test.each([
  ['One line.', '<p>One line.</p>'],
  ['Two\nlines.', '<p>Two\nlines.</p>'],
  ['One.\n\nTwo.\r\n \r\n\r\nThree.\n', '<p>One.</p><p>Two.</p><p>Three.</p>'],
  ['1 < 2 & "3" > 2, &amp; <p>', '<p>1 &lt; 2 &amp; "3" &gt; 2, &amp;amp; &lt;p&gt;</p>'],
  [' \n\n ', ''],
  [undefined, ''],
])('%j in paragraphs is %s', (text, html) => {
  expect(paragraphs(text)).toBe(html)
})
