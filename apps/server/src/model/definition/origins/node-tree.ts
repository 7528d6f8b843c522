// The query of a view as PostgreSQL stores it: a `pg_node_tree`, in its text form. The grammar has been the same
// since PostgreSQL 8; the keys of nodes differ between versions, so that readers look for those they know.

export interface TreeNode {
  readonly type: string
  readonly parts: ReadonlyMap<string, TreeValue>
}
/** A null of the tree is `''`. */
export type TreeValue = string | TreeNode | readonly TreeValue[]

/** @throws Error for a text that is no node tree */
export function parseNodeTree(text: string): TreeValue {
  const tokens = listTokens(text)
  let at = 0
  const value = (): TreeValue => {
    const token = tokens[at]
    at += 1
    if (token === undefined) throw new Error('a node tree ends early')
    if (token === '{') return node()
    return token === '(' ? list() : plain(token)
  }
  const list = (): TreeValue[] => {
    const items: TreeValue[] = []
    while (tokens[at] !== ')') items.push(value())
    at += 1
    return items
  }
  const node = (): TreeNode => {
    const type = tokens[at] ?? ''
    at += 1
    const parts = new Map<string, TreeValue>()
    while (tokens[at] !== '}') {
      const key = tokens[at]?.slice(1)
      at += 1
      if (key === undefined) throw new Error('a node tree ends early')
      parts.set(key, value())
      // The bytes of a constant follow the length.
      while (tokens[at] !== undefined && tokens[at] !== '}' && !tokens[at]?.startsWith(':')) at += 1
    }
    at += 1
    return { type, parts }
  }
  return value()
}

/** A backslash takes away the meaning of the character behind it. */
function listTokens(text: string): string[] {
  return text.match(/[(){}]|(?:\\[\s\S]|[^\s(){}\\])+/g) ?? []
}

function plain(token: string): string {
  return token === '<>' ? '' : token.replaceAll(/\\([\s\S])/g, '$1')
}

export function isNode(value: TreeValue | undefined): value is TreeNode {
  return typeof value === 'object' && !Array.isArray(value)
}

export function nodeIn(node: TreeNode, key: string): TreeNode | null {
  const value = node.parts.get(key)
  return isNode(value) ? value : null
}

/** Empty for a null. */
export function listIn(node: TreeNode, key: string): readonly TreeValue[] {
  const value = node.parts.get(key)
  return Array.isArray(value) ? value : []
}

export function nodesIn(node: TreeNode, key: string): TreeNode[] {
  return listIn(node, key).filter(isNode)
}

export function textIn(node: TreeNode, key: string): string {
  const value = node.parts.get(key)
  return typeof value === 'string' ? value : ''
}

export function numberIn(node: TreeNode, key: string): number {
  return Number(textIn(node, key))
}
