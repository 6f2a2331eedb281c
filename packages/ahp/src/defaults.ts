/** Defaults with what was given put over them; an option that is undefined was not given. */
export function withDefaults<Base extends object, Given extends object>(
  base: Base,
  given: Given,
): Base & { [Key in keyof Given]: Exclude<Given[Key], undefined> } {
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...base, ...said } as Base & { [Key in keyof Given]: Exclude<Given[Key], undefined> };
}
