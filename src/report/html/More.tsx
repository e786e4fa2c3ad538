/** A note that not everything is shown. */
export function More({ children }: { children: string }) {
  return (
    <p className="note">
      {children}
      <code>--all</code> shows all of them.
    </p>
  )
}
