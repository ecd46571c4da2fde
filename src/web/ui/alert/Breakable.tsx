import { Fragment } from 'react'

/** Text that can wrap after any slash of a URL, and before a dot of a long host, rather than in the middle of a word. */
export function Breakable({ text }: { text: string }) {
  return text
    .replaceAll(/[^/:]\/(?=[^/])|[^/\s]{16}(?=\.[a-z])/g, '$&\0')
    .split('\0')
    .map((part, at) => (
      // They are what they are at their place.
      // oxlint-disable-next-line react/no-array-index-key
      <Fragment key={at}>
        {at > 0 && <wbr />}
        {part}
      </Fragment>
    ))
}
