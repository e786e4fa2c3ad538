/** A note that not everything is shown. */
export function More({ children }: { children: string }) {
  return (
    <p className="note">
      {children}
      <code>--all</code> has all of them.
    </p>
  )
}
