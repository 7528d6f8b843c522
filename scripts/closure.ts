// Which packages of a lock file a workspace runs with.

interface LockedPackage {
  /** `true` for a workspace, whose folder is `resolved`. */
  readonly link?: boolean
  readonly resolved?: string
  /** Absent where the system is another. */
  readonly optional?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}
/** The part of `package-lock.json` that is read; keys are folders. */
export interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>
}

interface Closure {
  /** Folders of packages of others, as `node_modules/pg`. */
  readonly installed: readonly string[]
  /** Folders of workspaces, the one asked for among them. */
  readonly workspaces: readonly string[]
}

/** Without what the packages need to be built or tested. @throws Error for a dependency that the lock does not hold */
export function findClosure({ packages }: Lock, workspace: string): Closure {
  const installed = new Set<string>()
  const workspaces = new Set<string>()
  const visit = (folder: string, isWorkspace: boolean) => {
    const seen = isWorkspace ? workspaces : installed
    if (seen.has(folder)) return
    seen.add(folder)
    const of = packages[folder]
    if (of === undefined) throw new Error(`The lock file has no ${folder}.`)
    const needed = { ...of.peerDependencies, ...of.optionalDependencies, ...of.dependencies }
    for (const name of Object.keys(needed)) {
      if (isOptionalPeer(of, name)) continue
      const found = resolveFrom(packages, folder, name)
      if (found === undefined) {
        if (of.dependencies?.[name] === undefined) continue
        throw new Error(`${folder} needs ${name}, which the lock file does not hold.`)
      }
      const { link, resolved } = packages[found] ?? {}
      visit(link === true && resolved !== undefined ? resolved : found, link === true)
    }
  }
  visit(workspace, true)
  return { installed: [...installed].toSorted(), workspaces: [...workspaces].toSorted() }
}

/** A package that is used where the user has it, as a framework or a compiler. */
function isOptionalPeer(of: LockedPackage, name: string): boolean {
  return (
    of.peerDependenciesMeta?.[name]?.optional === true &&
    of.dependencies?.[name] === undefined &&
    of.optionalDependencies?.[name] === undefined
  )
}

/** Looks in `node_modules` of the folder, then of those above it. */
function resolveFrom(packages: Lock['packages'], folder: string, name: string) {
  const parts = folder.split('/')
  for (let length = parts.length; length >= 0; length -= 1) {
    const above = parts.slice(0, length)
    if (above.at(-1) === 'node_modules') continue
    const candidate = [...above, 'node_modules', name].join('/')
    if (candidate in packages) return candidate
  }
  return undefined
}
