/** Whether the keys of a value can be read: it is an object or an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Whether a value is an object that is neither an array nor a Promise. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !Array.isArray(value) && !(value instanceof Promise)
}

/** Returns a value of any type as an object whose keys can be read; one without keys if it isn't an object. */
export function asObject(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {}
}

/** Returns what a value itself has under a key, such as "toString"; undefined if it doesn't have the key. */
export function ownValue(value: unknown, key: string | number): unknown {
  const object = asObject(value)
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Sets a key of an object, also `__proto__`, as `JSON.parse` does. */
export function setKey(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') {
    object[key] = value
    return
  }

  Object.defineProperty(object, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
}
