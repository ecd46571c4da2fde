import PostalMime from 'postal-mime'

/** A mail that was accepted. */
export interface Message {
  /** Counts up, also over restarts. */
  readonly id: number
  readonly receivedAt: string
  /** The envelope's sender and recipients, which need not be those of the headers. */
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
  readonly messageId: string | null
  /** In the order of the mail; keys in lower case. */
  readonly headers: readonly { readonly key: string; readonly value: string }[]
  readonly text: string | null
  readonly html: string | null
  readonly attachments: readonly { readonly filename: string | null; readonly mimeType: string; readonly size: number }[]
}

export interface Envelope {
  readonly from: string
  readonly to: readonly string[]
}

/** What an attachment holds, and the name by which the HTML part shows it, where it does (`cid:`). */
export interface Content {
  readonly contentId: string | null
  readonly bytes: Buffer
}

export type Parsed = Omit<Message, 'id' | 'receivedAt' | keyof Envelope> & {
  /** In the order of `attachments`. */
  readonly contents: readonly Content[]
}

/** Takes a mail apart. */
export async function parseMail(source: Buffer): Promise<Parsed> {
  const mail = await PostalMime.parse(source, { attachmentEncoding: 'arraybuffer' })
  return {
    subject: mail.subject ?? '',
    messageId: mail.messageId ?? null,
    headers: mail.headers.map(({ key, value }) => ({ key, value })),
    text: mail.text ?? null,
    html: mail.html ?? null,
    attachments: mail.attachments.map(({ filename, mimeType, content }) => ({
      filename,
      mimeType,
      size: bytesOf(content).byteLength,
    })),
    contents: mail.attachments.map(({ contentId, content }) => ({
      contentId: contentId?.replace(/^<|>$/g, '') ?? null,
      bytes: bytesOf(content),
    })),
  }
}

const bytesOf = (content: string | ArrayBuffer | Uint8Array): Buffer =>
  typeof content === 'string' ? Buffer.from(content) : Buffer.from(content instanceof ArrayBuffer ? new Uint8Array(content) : content)
