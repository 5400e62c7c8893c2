/** The one error that is thrown inside: it has a reason's name, and never an answer. */

export class Refusal extends Error {
  /**
   * @param reason The reason's name, as outcomes give it: `manifest-invalid`.
   * @param message What happened and what to do next; never anything of an answer.
   */
  constructor(
    readonly reason: string,
    message: string,
  ) {
    super(message);
  }
}

/** Refuse a manifest, as Python's parser does. */
export function refuseManifest(message: string): never {
  throw new Refusal("manifest-invalid", message);
}
