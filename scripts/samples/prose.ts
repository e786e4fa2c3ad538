/** The text of the sample pages: a small grammar of sentences that fit their section. Pure. */
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator'

// Per category: its topics, and below them what people do there.
const TOPICS = `
about: our history, the team page, the list of offices, the mission statement, the yearly report
  learn who we are, meet the team, see how we work, follow our progress
api: the endpoint reference, the request log, the rate limit, the sandbox, the version history
  send a first request, read a response, renew an access key, page through a list
blog: the latest article, the archive, the series on design, the reading list, the monthly interview
  read an older post, follow a series, suggest a topic, share an article
careers: the list of open roles, the hiring guide, the interview plan, the internship programme
  apply for a role, prepare for an interview, talk to a recruiter, plan a career move
community: the discussion board, the code of conduct, the member directory, the local meetup
  join a discussion, welcome a new member, host a meetup, share a project
contact: the contact desk, the office address, the phone line, the map of branches, the front desk
  send a message, plan a visit, reach the right person, leave feedback
docs: the quick-start guide, the reference section, the glossary, the tutorial, the style guide
  set up a project, look up a setting, follow a tutorial, check an example
downloads: the latest release, the installer, the checksum list, the portable edition, the mirror
  choose a version, verify a file, update an installation, install a package
events: the event calendar, the autumn workshop, the speaker list, the venue guide, the open day
  reserve a seat, plan a trip, watch a recording, propose a talk
features: the search panel, the shared workspace, the export tool, the dashboard, the quick menu
  filter a list, compare two views, share a report, set a reminder
help: the help index, the list of common questions, the step-by-step guide, the search box
  find an answer, reset a password, report a problem, change a setting
news: the weekly summary, the press archive, the latest announcement, the newsletter, the review
  catch up on the week, subscribe to updates, read a press release, look back at the year
pricing: the basic plan, the team plan, the price table, the billing page, the yearly plan
  compare two plans, change a plan, download an invoice, estimate a budget
products: the product catalogue, the starter kit, the comparison chart, the spare parts list
  compare two models, choose a size, register a purchase, order a part
services: the consulting desk, the maintenance plan, the training course, the project review
  book a session, plan a project, request an estimate, schedule a visit
support: the support desk, the ticket overview, the knowledge base, the call-back service
  open a ticket, follow a request, find a fix, talk to an expert`

// A prime number of them, so that any step through them visits each one before repeating.
const SENTENCES = `
{Thing} is {quality}, and {people} come back to it {time}.
{People} often turn to {thing} when they want to {action}.
To {action}, begin with {thing}; the rest takes only a few steps.
We look at {thing} {time} and write down what has changed.
There’s no need to hurry – {thing} is {quality}.
Some people {action} {time}; others start from {thing} instead.
{One} &amp; {other} are described side by side.
{One} leads on to {other}, so that anyone can {action}.
This page explains how to {action} with the help of {thing}.
{People} who {action} {time} tell us that {thing} is {quality}.
A good first step is to {action}; {thing} comes next.
Since last year, {thing} has been {quality}.
{People} can {action} {time}, and {thing} shows how.`

const PEOPLE =
  'readers, new visitors, most teams, our colleagues, long-time customers, small groups'
const TIME = 'every week, at the start of each month, twice a year, on most days, now and then'
const QUALITY =
  'short and clear, easy to find, open to everyone, kept up to date, simple by design, worth a look'

/** A sentence: fixed text, and in between, lists of words to choose from. */
type Sentence = (string | string[])[]

function sentencesOf(things: string, actions: string): Sentence[] {
  const thing = things.split(', ')
  const words = {
    thing,
    // No sentence names the same thing twice.
    ...{ one: thing.slice(0, 2), other: thing.slice(2) },
    action: actions.split(', '),
    ...{ people: PEOPLE.split(', '), time: TIME.split(', '), quality: QUALITY.split(', ') },
  }
  const slots = new Map<string, string[]>()
  for (const [slot, list] of Object.entries(words)) {
    slots.set(slot, list).set(capital(slot), list.map(capital))
  }
  const sentences = SENTENCES.trim().split('\n')
  return sentences.map((text) => text.split(/[{}]/).map((part) => slots.get(part) ?? part))
}

const SECTIONS = new Map<string, Sentence[]>()
for (const [, category = '', things = '', actions = ''] of TOPICS.matchAll(
  /(\w+): (.+)\n {2}(.+)/g,
)) {
  SECTIONS.set(category, sentencesOf(things, actions))
}

/** The 16 sections of the site. */
export const CATEGORIES: readonly string[] = [...SECTIONS.keys()]

/** Returns the HTML of a page of the category: one to five paragraphs of two to four sentences. */
export function body(rng: RandomGenerator, category: string): string {
  const sentences = SECTIONS.get(category) ?? []
  const step = uniformInt(rng, 1, sentences.length - 1)
  let next = uniformInt(rng, 0, sentences.length - 1)
  const parts: string[] = []
  for (let paragraphs = uniformInt(rng, 1, 5); paragraphs > 0; paragraphs--) {
    parts.push('<p>')
    for (let left = uniformInt(rng, 2, 4); left > 0; left--) {
      for (const part of sentences[next] ?? []) {
        parts.push(typeof part === 'string' ? part : pick(rng, part))
      }
      parts.push(left > 1 ? ' ' : '</p>')
      next = (next + step) % sentences.length
    }
  }
  return parts.join('')
}

function pick(rng: RandomGenerator, words: readonly string[]): string {
  return words[uniformInt(rng, 0, words.length - 1)] ?? ''
}

/** Returns the text with a capital first letter. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
