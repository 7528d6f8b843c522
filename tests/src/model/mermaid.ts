export { toMermaid } from '@jiaowu/machines'
