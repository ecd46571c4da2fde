/** The first thing the Tab key reaches: past the navigation, to what the screen is about. */
export function SkipLink() {
  return (
    <a
      href="#content"
      className="sr-only rounded-control bg-brand px-4 py-2 font-medium text-on-brand focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-40"
    >
      Skip to content
    </a>
  )
}
