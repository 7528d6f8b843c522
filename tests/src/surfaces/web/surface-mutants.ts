/** A screen broken on purpose. `apply` breaks what is drawn, again after every step; `stop` takes listeners away. */
export type Fault = () => { apply(): void; stop(): void }
