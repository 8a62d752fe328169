/// An RSA key of 2048 bits that openssl made for these tests.
enum SampleKey {
  static let publicPEM = """
    -----BEGIN PUBLIC KEY-----
    MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAptWo01ynB0pY9E8eONOD
    Aq0Tr+7TjO6uZyLWf288f2ZjXGBs8HMMW7rDsV1yxCf2s20xsW39aysf28bg5EcG
    AC9sFLJKSo8GVqjdqf58l6p8HArAzMbd4gOrMLSR6sY0UrUv6O25TrLU8EnpSdDz
    X5MIz6JjuI+48wcJ8rmLfyGMPkOTkaB130RK4ESbi7DVFLTWCndtjo4MIKrTaJfE
    a3/Vb52LI65yp4tFlk+Mrhk1tYhLaxMkYQ7cNNwQiRcl3DTrJz+P3qx0w/+O9Zhl
    mLg9WW86cdBA7FQfoderMQusDVn5RSs05sID6yioKw2sIGO0WfKl7fYfTYHoG4NW
    4wIDAQAB
    -----END PUBLIC KEY-----
    """
}
