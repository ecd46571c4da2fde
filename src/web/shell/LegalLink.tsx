/** A page of the small print. It is no screen of the app, so what is filled in here would be lost: it opens beside it. */
export function LegalLink({ path, name }: { path: string; name: string }) {
  return (
    <a href={path} target="_blank" rel="noopener" className="underline underline-offset-2">
      {name}
    </a>
  )
}
