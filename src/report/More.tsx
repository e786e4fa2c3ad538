/** Says that there is more than is shown. */
export function More({ children }: { children: string }) {
  return (
    <p className="note">
      {children}
      <code>--all</code> has all of them.
    </p>
  )
}
