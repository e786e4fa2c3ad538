// Runs in every measured document before its own scripts. Plain, because Chromium gets it as it is.
// Times are in milliseconds.
{
  const probe = {
    /** Tasks of 50 ms and more. */
    tasks: [],
    /** How long the next paint took after each event of a key (Event Timing; 8 ms steps). */
    responses: [],
    /** How long the paint of changed cards took after the last key before the change. */
    cards: [],
    watchKeys,
  }
  globalThis.probe = probe

  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      probe.tasks.push({ start: startTime, end: startTime + duration })
    }
  }).observe({ type: 'longtask', buffered: true })

  function watchKeys() {
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) {
        if (/^key|^input$/.test(name)) probe.responses.push(duration)
      }
    }).observe({ type: 'event', durationThreshold: 16 })

    let pressed
    document.addEventListener('keydown', ({ timeStamp }) => {
      pressed = timeStamp
    })
    const watcher = new MutationObserver((changes) => {
      // The filter itself changes at once; only the cards take time.
      if (changes.every(({ target }) => target.parentElement?.closest('form'))) return
      const start = pressed
      pressed = undefined
      if (start === undefined) return
      // A task after the next frame runs once its paint is done.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => probe.cards.push(performance.now() - start)
        port2.postMessage(undefined)
      })
    })
    const everything = { subtree: true, childList: true, attributes: true }
    watcher.observe(document.querySelector('main'), everything)
  }
}
