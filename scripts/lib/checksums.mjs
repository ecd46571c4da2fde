/**
 * The shipped packages of a lock file without a checksum: whoever answers for the registry decides what they contain, and they run in the
 * server's process.
 * @param {{ packages: Record<string, { version?: string, dev?: boolean, link?: boolean, integrity?: string }> }} lock
 */
export const withoutChecksum = ({ packages }) =>
  Object.entries(packages)
    .filter(([at, { dev, link, integrity }]) => at !== '' && !dev && !link && integrity === undefined)
    .map(([at, entry]) => ({ name: at.slice(at.lastIndexOf('node_modules/') + 'node_modules/'.length), entry }))
