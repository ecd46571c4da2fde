/** Has the browser put a file where the person keeps downloads. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has begun by then; the file itself is freed with its last address.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
