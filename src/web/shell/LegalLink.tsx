/** A legal page. It is outside of the app, which would lose what was entered here, so it opens in a new tab. */
export function LegalLink({ path, name }: { path: string; name: string }) {
  return (
    <a href={path} target="_blank" rel="noopener" className="underline underline-offset-2">
      {name}
    </a>
  )
}
