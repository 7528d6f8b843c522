import type { contract } from '@jiaowu/api/contract/contract'
import type { Client } from '@jiaowu/api/endpoint'

/** Every call of the product, as the console makes it. */
export type Api = Client<typeof contract>
