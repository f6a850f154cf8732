// Language and colours of this device: the server reads the cookie before it draws, so nothing flashes.

const YEAR = 365 * 24 * 3600;

for (const button of document.querySelectorAll("button[data-cookie]")) {
  button.addEventListener("click", () => {
    const { dataset, value } = /** @type {HTMLButtonElement} */ (button);
    document.cookie = `${dataset.cookie}=${value}; Path=/; Max-Age=${YEAR}; SameSite=Lax`;
    const here = new URL(location.href);
    here.searchParams.delete("lang"); // an address that names a language would win over the cookie
    location.replace(here);
  });
}
