/** Mistakes of which a message speaks of the sample's rules, in the form of `../helpers/faults.ts`. */
import { type Changes, type Fault, GENERAL_TIME } from '../helpers/faults.ts'

const title = (value: string): Changes => [['Blog Page 029', value]]
const created = (value: string): Changes => [['2025-08-28T10:15:00.000Z', value]]

const NOT_UPDATED = ' (updatedAt was not compared with it)'

export const SAMPLE_FAULTS: Fault[] = [
  {
    fault: 'a number instead of a text',
    batch: [['"2025-08-28T10:15:00.000Z"', '1756376100']],
    at: '17:18',
    says: `must be a string, but is 1756376100${NOT_UPDATED}`,
  },
  {
    fault: 'a number that is too large',
    batch: [['"2025-08-28T10:15:00.000Z"', '1e999']],
    at: '17:18',
    says: `must be a string, but is a number that is too large${NOT_UPDATED}`,
  },
  {
    fault: 'a path without a number',
    batch: [['/blog/029', '/blog']],
    at: '3:13',
    says: 'must be "/{category}/{nnn}", such as "/blog/029", but is "/blog" (title was not compared with it)',
  },
  {
    fault: 'a title that does not fit its path',
    batch: title('Blog Page 030'),
    at: '4:14',
    says: 'must be "Blog Page 029" to fit the path, but is "Blog Page 030"',
  },
  {
    fault: 'a title in lower case',
    batch: title('blog page 029'),
    at: '4:14',
    says: 'must be "Blog Page 029" to fit the path, but is "blog page 029"',
  },
  {
    fault: 'a title that is not made from the path',
    batch: title('How we build'),
    at: '4:14',
    says: 'must be "Blog Page 029" to fit the path, but is "How we build"',
  },
  {
    fault: 'a no-break space in a title',
    batch: title('Blog Page\u00a0029'),
    at: '4:14',
    says: 'must be "Blog Page 029" to fit the path, but is "Blog Page\\u00a0029"',
  },
  {
    fault: 'a space after a title',
    batch: title('Blog Page 029 '),
    at: '4:14',
    says: 'must be "Blog Page 029" to fit the path, but is "Blog Page 029 "',
  },
  {
    fault: '30 February',
    batch: created('2025-02-30T10:15:00Z'),
    at: '17:24',
    says: `there is no 30 February${NOT_UPDATED}`,
  },
  {
    fault: '29 February in a common year',
    batch: created('2025-02-29T10:15:00Z'),
    at: '17:24',
    says: `there is no 29 February in this year${NOT_UPDATED}`,
  },
  {
    fault: '31 April',
    batch: created('2025-04-31T10:15:00Z'),
    at: '17:24',
    says: `there is no 31 April${NOT_UPDATED}`,
  },
  {
    fault: 'month 13',
    batch: created('2025-13-01T10:15:00Z'),
    at: '17:24',
    says: `there is no month 13${NOT_UPDATED}`,
  },
  {
    fault: 'day 0',
    batch: created('2025-08-00T10:15:00Z'),
    at: '17:27',
    says: `there is no day 00${NOT_UPDATED}`,
  },
  {
    fault: 'hour 24',
    batch: created('2025-08-28T24:00:00Z'),
    at: '17:30',
    says: `there is no hour 24; a day begins with 00:00:00${NOT_UPDATED}`,
  },
  {
    fault: 'minute 60',
    batch: created('2025-08-28T10:60:00Z'),
    at: '17:33',
    says: `there is no minute 60${NOT_UPDATED}`,
  },
  {
    fault: 'second 61',
    batch: created('2025-08-28T10:15:61Z'),
    at: '17:36',
    says: `there is no second 61${NOT_UPDATED}`,
  },
  {
    fault: 'a leap second',
    batch: created('2016-12-31T23:59:60Z'),
    at: '17:36',
    says: `there is no second 60${NOT_UPDATED}`,
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
    fault: 'no time zone',
    batch: created('2025-08-28T10:15:00'),
    at: '17:38',
    says: `must end in a time zone, such as Z or +02:00${NOT_UPDATED}`,
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
    says: 'must not be before createdAt (2025-08-28T11:15:00Z), but is 2025-08-28T10:17:30.000Z',
  },
  {
    fault: 'an update before the page was created, in another time zone',
    batch: created('2025-08-28T10:16:00.000-01:00'),
    at: '18:18',
    says: 'must not be before createdAt (2025-08-28T11:16:00.000Z), but is 2025-08-28T10:17:30.000Z (both in UTC)',
  },
  {
    fault: 'an update on the next day',
    batch: [['2025-08-28T10:17:30.000Z', '2025-08-29T10:17:30.000Z']],
    at: '18:18',
    says: 'must be on the UTC day of createdAt (2025-08-28), but is 2025-08-29T10:17:30.000Z',
  },
  {
    fault: 'an update on the next day, hidden by another time zone',
    batch: [['2025-08-28T10:17:30.000Z', '2025-08-28T22:17:30.000-04:00']],
    at: '18:18',
    says: 'must be on the UTC day of createdAt (2025-08-28), but is 2025-08-29T02:17:30.000Z (both in UTC)',
  },
]
