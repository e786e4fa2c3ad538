import { useEffect, useState } from 'react'

/** Shows a text, which screen readers speak, once it has stayed the same for so many milliseconds. */
export function Status({ text, delay }: { text: string; delay: number }) {
  const [settled, settle] = useState('')

  useEffect(() => {
    const timer = setTimeout(settle, delay, text)
    return () => clearTimeout(timer)
  }, [text, delay])

  return <p role="status">{settled}</p>
}
