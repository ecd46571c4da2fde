/** A parser for RFC 4180, so that files are checked against the format and not against their writer. @throws for other line ends */
export function readCsv(text: string): string[][] {
  const rows: string[][] = []
  for (let at = 0; at < text.length;) {
    const row: string[] = []
    for (;;) {
      let cell = ''
      if (text[at] === '"') {
        for (at += 1; text[at] !== '"' || text[at + 1] === '"'; at += 1) {
          if (text[at] === '"') at += 1
          cell += text[at]
        }
        at += 1
      } else {
        for (; at < text.length && text[at] !== ',' && text[at] !== '\r'; at += 1) cell += text[at]
      }
      row.push(cell)
      if (text[at] !== ',') break
      at += 1
    }
    if (text.slice(at, at + 2) !== '\r\n')
      throw new Error(`The line before character ${at} ends with ${JSON.stringify(text.slice(at, at + 2))}`)
    at += 2
    rows.push(row)
  }
  return rows
}
