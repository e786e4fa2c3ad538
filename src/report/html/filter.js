/* Filters the conflicts by words. Without it, all of them are shown. */
const input = document.getElementById('words')
const conflicts = [...document.querySelectorAll('#conflicts .versus')]

function apply() {
  // A path may be pasted as a whole address.
  const address = /[a-z]+:\/\/[^/\s]*|(?<=\S)\/(?!\S)/g
  const words = input.value.toLowerCase().replace(address, '').split(/\s+/)
  let shown = 0
  for (const conflict of conflicts) {
    conflict.hidden = !words.every((word) => conflict.dataset.words.includes(word))
    if (!conflict.hidden) shown++
  }
  for (const article of document.querySelectorAll('#conflicts article')) {
    article.hidden = !article.querySelector('.versus:not([hidden])')
  }
  document.getElementById('found').textContent =
    input.value === '' ? '' : `${shown} of ${conflicts.length} conflicts`
}

if (input) {
  input.closest('search').hidden = false
  input.addEventListener('input', apply)
  // A number in the table links to exactly the conflicts that it counts.
  for (const link of document.querySelectorAll('a[data-words]')) {
    link.addEventListener('click', () => {
      input.value = link.dataset.words
      apply()
    })
  }
}
