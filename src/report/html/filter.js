/* Filters the conflicts by path, batch and field. Without it, all of them are shown. */
const controls = Object.fromEntries(
  ['path', 'dropped', 'kept', 'field'].map((name) => [name, document.getElementById(`by-${name}`)]),
)
const articles = [...document.querySelectorAll('#conflicts article')].map((article) => ({
  article,
  path: article.id.toLowerCase(),
  conflicts: [...article.querySelectorAll('.versus')].map((conflict) => {
    const { kept, dropped, fields } = conflict.dataset
    return { conflict, kept, dropped, fields: JSON.parse(fields) }
  }),
}))
const total = articles.reduce((sum, { conflicts }) => sum + conflicts.length, 0)

function apply() {
  const { path, kept, dropped, field } = controls
  // A path may be pasted as a whole address.
  const address = /^[a-z]+:\/\/[^/]*|(?<=.)\/$/g
  const wanted = path.value.trim().toLowerCase().replace(address, '')
  let shown = 0
  for (const each of articles) {
    let count = 0
    for (const { conflict, ...its } of each.conflicts) {
      conflict.hidden = !(
        each.path.includes(wanted) &&
        (kept.value === '' || kept.value === its.kept) &&
        (dropped.value === '' || dropped.value === its.dropped) &&
        (field.value === '' || its.fields.includes(field.value))
      )
      if (!conflict.hidden) count++
    }
    each.article.hidden = count === 0
    shown += count
  }
  const isAll = Object.values(controls).every(({ value }) => value === '')
  const found = document.getElementById('found')
  found.textContent = isAll
    ? ''
    : shown > 0
      ? `${shown} of ${total} conflicts`
      : `None of ${total} conflicts. ${
          kept.value || dropped.value || field.value
            ? 'Other filters are set too: choose “All” in them, or clear the filters.'
            : found.dataset.absent
        }`
}

function set(values) {
  for (const [name, control] of Object.entries(controls)) control.value = values[name] ?? ''
  apply()
}

if (controls.path) {
  document.getElementById('filter').hidden = false
  document.getElementById('filter').addEventListener('input', apply)
  document.getElementById('clear').addEventListener('click', () => set({}))
  // A number in the table links to exactly the conflicts that it counts.
  for (const link of document.querySelectorAll('a[href="#conflicts"]')) {
    link.addEventListener('click', () => set(link.dataset))
  }
  apply()
}
